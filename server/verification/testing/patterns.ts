import ts from 'typescript'
import { filesOf, read } from './source-tree.ts'

/** A regular expression and its location. */
export interface FoundPattern {
  readonly at: string
  readonly source: string
  readonly flags: string
}

/** Literals in the files, and the places where a file makes expressions at run time. */
export function patternsOfSource(glob: readonly string[]): {
  readonly literals: FoundPattern[]
  readonly made: string[]
} {
  const literals: FoundPattern[] = []
  const made = new Set<string>()
  for (const file of filesOf(glob)) {
    const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true)
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/')
        const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1
        literals.push({ at: `${file}:${line}`, source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
      }
      if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp')
        made.add(file)
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return { literals, made: [...made] }
}

/** The expressions that a module assembles when it is loaded. */
export async function patternsMadeBy(file: string): Promise<FoundPattern[]> {
  await import(/* @vite-ignore */ `../../../${file}`)
  const made: FoundPattern[] = []
  const original = globalThis.RegExp
  globalThis.RegExp = new Proxy(original, {
    construct(target, args: [string, string?]) {
      const pattern = new target(...args)
      made.push({ at: file, source: pattern.source, flags: pattern.flags })
      return pattern
    },
  })
  try {
    // Its imports are already loaded. The query makes it a new module: the cached one would not assemble anything
    // again.
    await import(/* @vite-ignore */ `../../../${file}?patterns`)
  } finally {
    globalThis.RegExp = original
  }
  return made
}

/** Values of `pattern` and `matches` anywhere in a contract. */
export function patternsOfContract(file: string): FoundPattern[] {
  const found = new Map<string, FoundPattern>()
  JSON.parse(read(file), (name, value: unknown) => {
    if ((name === 'pattern' || name === 'matches') && typeof value === 'string')
      found.set(value, { at: file, source: value, flags: 'u' })
    return value
  })
  return [...found.values()]
}
