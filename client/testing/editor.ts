import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** What an editor shows for a name. */
interface Hover {
  /** `(property) currency: string`. */
  readonly type: string
  readonly documentation: string
  /** `@example UGX`, one each. */
  readonly tags: readonly string[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** An open program. */
export interface Editor {
  /** Hovers over a name at its last occurrence in a line. */
  readonly hoverOver: (name: string, line: string) => Hover
  /** The compiler's messages about the program and all of its imports. */
  readonly faults: () => readonly string[]
}

/** Files that have been read stay cached: most of them are TypeScript's own. */
const registry = ts.createDocumentRegistry()

let workspaces = 0

const SETTINGS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.NodeNext,
  allowImportingTsExtensions: true,
  types: ['node'],
}

/** Merchants' programs that exist only in memory, next to the client, with one compiler for all of them. */
class Workspace {
  readonly #programs: string[] = []
  readonly #texts: Map<string, string>
  readonly #service: ts.LanguageService
  readonly #version: string

  /** @param unsaved texts that replace those on disk, by their paths */
  constructor(unsaved: ReadonlyMap<string, string> = new Map()) {
    this.#texts = new Map(unsaved)
    this.#version = `of workspace ${(workspaces += 1)}`
    const isThere = (path: string) => this.#texts.has(path) || ts.sys.fileExists(path)
    const textOf = (path: string) => this.#texts.get(path) ?? ts.sys.readFile(path)
    const host: ts.LanguageServiceHost = {
      getCompilationSettings: () => SETTINGS,
      getScriptFileNames: () => this.#programs,
      getScriptVersion: (path) => (this.#texts.has(path) ? this.#version : 'on disk'),
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
    this.#service = ts.createLanguageService(host, registry)
  }

  /** The program is compiled with all others, when an editor is first used. */
  open(program: string): Editor {
    const name = `../program-in-an-editor-${this.#programs.length + 1}.ts`
    const file = fileURLToPath(new URL(name, import.meta.url))
    this.#programs.push(file)
    this.#texts.set(file, program)
    return {
      hoverOver: (over, line) => {
        const hover = this.#service.getQuickInfoAtPosition(file, program.indexOf(line) + line.lastIndexOf(over))
        if (hover === undefined) throw new Error(`there is no ${over} to hover over in ${line}`)
        return {
          type: ts.displayPartsToString(hover.displayParts),
          documentation: ts.displayPartsToString(hover.documentation),
          tags: (hover.tags ?? []).map(({ name: tag, text: parts }) => `@${tag} ${ts.displayPartsToString(parts)}`),
        }
      },
      faults: () => this.#faultsOf(file),
    }
  }

  #faultsOf(file: string): readonly string[] {
    const compiled = this.#service.getProgram()
    if (compiled === undefined) throw new Error('there is no program')
    return compiled
      .getSourceFiles()
      .filter(({ fileName }) => fileName === file || !this.#programs.includes(fileName))
      .flatMap((source) => [...compiled.getSyntacticDiagnostics(source), ...compiled.getSemanticDiagnostics(source)])
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
  }
}

const saved = new Workspace()

/**
 * An editor with a merchant's program that exists only in memory, next to the client.
 *
 * @param unsaved texts that replace those on disk, by their paths from the root of the project
 */
export function editorWith(program: string, unsaved?: ReadonlyMap<string, string>): Editor {
  if (unsaved === undefined) return saved.open(program)
  return new Workspace(new Map([...unsaved].map(([path, text]) => [root + path, text]))).open(program)
}
