"use strict";
document.documentElement.classList.add("js");
for (const header of document.querySelectorAll("table.sortable thead th")) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...header.childNodes);
  header.append(button);
  button.addEventListener("click", () => sort(header));
}
function sort(header) {
  const table = header.closest("table"), body = table.tBodies[0];
  const column = header.cellIndex;
  const numbers = header.classList.contains("n");
  const descending = header.getAttribute("aria-sort") === (numbers ? null : "ascending");
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", descending ? "descending" : "ascending");
  const text = row => row.cells[column].textContent.trim();
  const rows = [...body.rows].map(row => [numbers ? Number(text(row)) || 0 : text(row), row]);
  rows.sort((a, b) => numbers ? a[0] - b[0] : a[0].localeCompare(b[0]));
  if (descending) rows.reverse();
  body.append(...rows.map(pair => pair[1]));
}
const words = document.getElementById("words"), severity = document.getElementById("severity");
let waiting = 0;
function filter() {
  const wanted = words.value.toLowerCase(), level = severity.value;
  for (const file of document.querySelectorAll("#findings details")) {
    const named = file.firstElementChild.textContent.toLowerCase().includes(wanted);
    let shown = 0;
    for (const finding of file.querySelectorAll(".f")) {
      const fits = (!level || finding.dataset.v === level) &&
        (named || !wanted || finding.textContent.toLowerCase().includes(wanted));
      finding.hidden = !fits;
      shown += fits;
    }
    file.hidden = !shown;
  }
}
words.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(filter, 150); });
severity.addEventListener("change", filter);
function unfold(open) {
  for (const file of document.querySelectorAll("#findings details")) file.open = open;
}
document.getElementById("unfold").addEventListener("click", () => unfold(true));
document.getElementById("fold").addEventListener("click", () => unfold(false));
addEventListener("beforeprint", () => unfold(true));
function reveal() {
  const aim = document.getElementById(location.hash.slice(1));
  if (aim instanceof HTMLDetailsElement) { aim.open = true; aim.scrollIntoView(); }
}
addEventListener("hashchange", reveal);
reveal();
