import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** Where the client resolves; the text of each call is in its place. */
const file = `${root}contract-tests/consumers/samples/shown-example.ts`
const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile) as { readonly config: object }
// Without the files of the project, which need not be looked for.
const { options } = ts.parseJsonConfigFileContent({ ...config, include: undefined, files: [file] }, ts.sys, root)
/** Files that have been read stay: most of them are TypeScript's own. */
const read = new Map<string, ts.SourceFile | undefined>()

/** Compiler errors of a text, with the settings of this project. What it imports has its own check. */
export function typeErrors(source: string): string[] {
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (name) => name === file || fileExists(name)
  host.readFile = (name) => (name === file ? source : readFile(name))
  host.getSourceFile = (name, version, ...rest) => {
    if (name === file) return ts.createSourceFile(name, source, version)
    if (!read.has(name)) read.set(name, getSourceFile(name, version, ...rest))
    return read.get(name)
  }
  const program = ts.createProgram([file], options, host)
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
