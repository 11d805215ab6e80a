import { fileURLToPath } from 'node:url'

/** A language with samples in the docs. Each sample has a folder of its own, where `run` and `listen` begin. */
export interface LanguageTools {
  /** Its name in the docs. */
  readonly label: string
  readonly file: string
  /** A line that fails where the language is missing. */
  readonly needs: string
  /** What is then missing, in words. */
  readonly missing: string
  /** Lines that compile all samples together, in the folder above theirs: starting a compiler takes longer than its work. */
  readonly compile?: string
  readonly run: string
  /** Runs a sample that listens on `$PORT`. Absent: the docs have no receiver in this language. */
  readonly listen?: string
  /** The language has no JSON parser: its samples print the raw reply. */
  readonly printsReplies?: true
}

const NODE = `'${process.execPath}' sample.ts`
// Short-lived programs gain nothing from the optimizing compiler.
const JAVA = `java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp ../classes \\
  "$(sed -n 's/^class \\([A-Za-z0-9_]*\\).*/\\1/p' sample.java | head -1)"`
const DOTNET = `'${fileURLToPath(new URL('csharp/dotnet.sh', import.meta.url))}'`

export const TYPESCRIPT: LanguageTools = {
  label: 'TypeScript',
  file: 'sample.ts',
  needs: 'true',
  missing: '',
  run: NODE,
  listen: NODE,
}

export const ALL_LANGUAGES: readonly LanguageTools[] = [
  {
    label: 'curl',
    file: 'sample.sh',
    needs: 'curl --version',
    missing: 'curl',
    run: 'bash -euo pipefail sample.sh',
    printsReplies: true,
  },
  TYPESCRIPT,
  {
    label: 'Python',
    file: 'sample.py',
    needs: 'python3 --version',
    missing: 'Python 3 (python3)',
    run: 'python3 sample.py',
    listen: 'python3 sample.py',
  },
  {
    label: 'PHP',
    file: 'sample.php',
    needs: `php -r 'exit(extension_loaded("curl") ? 0 : 1);'`,
    missing: 'PHP with its curl extension (php-cli, php-curl)',
    run: 'php sample.php',
    listen: 'php -S "127.0.0.1:$PORT" sample.php',
  },
  {
    label: 'Java',
    file: 'sample.java',
    needs: 'javac --version',
    missing: 'JDK (default-jdk-headless)',
    // The reader of a single sample types `java sample.java`.
    compile: 'javac -Xlint:all -Werror -d classes */sample.java',
    run: JAVA,
    listen: JAVA,
    printsReplies: true,
  },
  {
    label: 'Go',
    file: 'main.go',
    needs: 'go version',
    missing: 'Go (golang-go)',
    // One module; `vet` also finds mistakes that compile.
    compile: `printf 'module samples\\n\\ngo 1.18\\n' > go.mod
go vet ./...
go build -ldflags='-s -w' -o bin/ ./...`,
    run: '"../bin/$(basename "$PWD")"',
    listen: '"../bin/$(basename "$PWD")"',
  },
  {
    label: 'C#',
    file: 'sample.cs',
    needs: `${DOTNET} find`,
    missing: 'SDK of .NET (contract-tests/consumers/samples/csharp/dotnet.sh install puts packages in its place)',
    compile: `${DOTNET} compile`,
    run: `${DOTNET} run sample.dll`,
    listen: `${DOTNET} run sample.dll`,
  },
]
