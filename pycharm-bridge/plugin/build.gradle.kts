plugins {
    java
    id("org.jetbrains.intellij.platform") version "2.10.5"
}

group = "mindport"
version = "0.1.0"

repositories {
    mavenCentral()
    intellijPlatform { defaultRepositories() }
}

dependencies {
    intellijPlatform { pycharm("2025.3") }
}

java {
    toolchain { languageVersion = JavaLanguageVersion.of(21) }
}

intellijPlatform {
    buildSearchableOptions = false
    pluginConfiguration {
        ideaVersion { sinceBuild = "253" }
    }
}
