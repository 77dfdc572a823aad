rootProject.name = "mindport-pycharm"
