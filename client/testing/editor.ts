import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** What an editor shows for a name. */
export interface Hover {
  /** `(property) currency: string`. */
  readonly type: string
  readonly documentation: string
  /** `@example UGX`, one each. */
  readonly tags: readonly string[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Files that editors have read stay cached: most of them are TypeScript's own. */
const registry = ts.createDocumentRegistry()
let editors = 0

/** An open program. */
export interface Editor {
  /** Hovers over a name at its last occurrence in a line. */
  readonly hoverOver: (name: string, line: string) => Hover
  /** The compiler's messages about the program and all of its imports. */
  readonly faults: () => readonly string[]
}

/**
 * An editor with a merchant's program that exists only in memory, next to the client.
 *
 * @param unsaved texts that replace those on disk, by their paths from the root of the project
 */
export function editorWith(program: string, unsaved: ReadonlyMap<string, string> = new Map()): Editor {
  const file = fileURLToPath(new URL('../program-in-an-editor.ts', import.meta.url))
  const texts = new Map([[file, program], ...[...unsaved].map(([path, text]): [string, string] => [root + path, text])])
  const isThere = (path: string) => texts.has(path) || ts.sys.fileExists(path)
  const textOf = (path: string) => texts.get(path) ?? ts.sys.readFile(path)
  const version = `of editor ${(editors += 1)}`
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => ({
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.NodeNext,
      allowImportingTsExtensions: true,
      types: ['node'],
    }),
    getScriptFileNames: () => [file],
    getScriptVersion: (path) => (texts.has(path) ? version : 'on disk'),
    getScriptSnapshot: (path) => {
      const text = textOf(path)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: isThere,
    readFile: textOf,
    directoryExists: ts.sys.directoryExists,
  }
  const service = ts.createLanguageService(host, registry)
  return {
    hoverOver(name, line) {
      const hover = service.getQuickInfoAtPosition(file, program.indexOf(line) + line.lastIndexOf(name))
      if (hover === undefined) throw new Error(`there is no ${name} to hover over in ${line}`)
      return {
        type: ts.displayPartsToString(hover.displayParts),
        documentation: ts.displayPartsToString(hover.documentation),
        tags: (hover.tags ?? []).map(({ name, text: parts }) => `@${name} ${ts.displayPartsToString(parts)}`),
      }
    },
    faults() {
      const compiled = service.getProgram()
      if (compiled === undefined) throw new Error('there is no program')
      return ts
        .getPreEmitDiagnostics(compiled)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
    },
  }
}
