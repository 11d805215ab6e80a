import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** Compiler errors of a text placed where the client resolves, with the settings of this project. */
export function typeErrors(source: string): string[] {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const file = `${root}contract-tests/consumers/samples/shown-example.ts`
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile).config,
    ts.sys,
    root,
  )
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (name) => name === file || fileExists(name)
  host.readFile = (name) => (name === file ? source : readFile(name))
  host.getSourceFile = (name, version, ...rest) =>
    name === file ? ts.createSourceFile(name, source, version) : getSourceFile(name, version, ...rest)
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
