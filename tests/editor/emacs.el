;;; emacs.el --- Attaches Emacs' eglot to the server, and does what a user does. -*- lexical-binding: t -*-

;; The environment gives MINDPORT_COMMAND (words separated by newlines) and MINDPORT_RESULT: where to write what
;; was seen, as JSON; MINDPORT_SECONDS: how long to wait for each thing.  Emacs ends with another code than 0 where something did not come.

(require 'json)
(package-initialize)
(require 'eglot)
(require 'flymake)

(defun mindport-wait (what condition)
  "Wait until CONDITION holds; WHAT says for what."
  (let ((left (* 20 (string-to-number (getenv "MINDPORT_SECONDS")))))
    (while (and (> left 0) (not (funcall condition)))
      (accept-process-output nil 0.05)
      (setq left (1- left)))
    (unless (funcall condition) (error "Nothing came: %s" what))))

(defun mindport-apply (action)
  "Carry out ACTION as the command for its kind does where it is the only one."
  (eglot--read-execute-code-action (list action) (eglot--current-server-or-lose) (plist-get action :kind)))

(defun mindport-codes ()
  "The lines and the texts of the problems shown."
  (mapcar (lambda (each)
            (list (line-number-at-pos (flymake-diagnostic-beg each))
                  (buffer-substring-no-properties (flymake-diagnostic-beg each) (flymake-diagnostic-end each))))
          (flymake-diagnostics)))

(let ((file (car command-line-args-left))
      (seen nil))
  (setq command-line-args-left nil
        eglot-sync-connect 60
        eglot-connect-timeout 60
        eglot-autoshutdown t
        eglot-confirm-server-initiated-edits nil
        eglot-send-changes-idle-time 0
        flymake-no-changes-timeout 0.1
        python-indent-guess-indent-offset nil
        eglot-server-programs
        `((python-mode . ,(split-string (getenv "MINDPORT_COMMAND") "\n"))))
  (find-file file)
  (eglot-ensure)
  (apply #'eglot--connect (eglot--guess-contact))
  (mindport-wait "the server" (lambda () (eglot-managed-p)))
  (unless flymake-mode (flymake-mode 1))
  (mindport-wait "diagnostics" (lambda () (flymake-start) (flymake-diagnostics)))
  (push (cons 'before (vconcat (mapcar #'vconcat (mindport-codes)))) seen)
  (goto-char (point-min))
  (search-forward "torch.ran")
  (let ((hover (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover
                                (eglot--TextDocumentPositionParams))))
    (push (cons 'hover (plist-get (plist-get hover :contents) :value)) seen))
  (let* ((before (buffer-string))
         (actions (eglot-code-actions (point) (point) "quickfix"))
         (fix (seq-find (lambda (each) (eq t (plist-get each :isPreferred))) actions)))
    (push (cons 'titles (vconcat (mapcar (lambda (each) (plist-get each :title)) actions))) seen)
    (unless fix (error "There is no safe fix"))
    (mindport-apply fix)
    (mindport-wait "quick fix" (lambda () (not (equal before (buffer-string)))))
    (push (cons 'fixed (buffer-substring-no-properties (point-min) (point-max))) seen))
  (eglot--signal-textDocument/didChange)
  (let ((before (buffer-string))
        (all (seq-find (lambda (each) (equal "source.fixAll.mindport" (plist-get each :kind)))
                       (eglot-code-actions (point-min) (point-max) "source.fixAll.mindport"))))
    (unless all (error "There is no fix-all"))
    (mindport-apply all)
    (mindport-wait "fix-all" (lambda () (not (equal before (buffer-string)))))
    (push (cons 'all_fixed (buffer-substring-no-properties (point-min) (point-max))) seen))
  (set-buffer-modified-p nil)
  (eglot-shutdown (eglot--current-server-or-lose))
  (with-temp-file (getenv "MINDPORT_RESULT") (insert (json-encode seen))))
(kill-emacs 0)
