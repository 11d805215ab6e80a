import ts from 'typescript'
import { expect, test } from 'vitest'
import { filesOf, read } from './verification/testing/source-tree.ts'

// A title is one line of a test report: subject, verb, result. What does not fit belongs into a comment.

const LENGTH_MAX = 80

/** Vitest's functions, and those of the tree that declare a test: `testNightly`, `pythonTest`. */
const DECLARES = /^(?:it|test|describe|underLoad|test[A-Z]\w*|\w+(?:Test|ByNight))\b/

/** Literal titles as they are written: a placeholder counts with its characters. */
function titlesIn(file: string, text: string): string[] {
  const titles: string[] = []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && DECLARES.test(node.expression.getText(source))) {
      const [title] = node.arguments
      if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title)))
        titles.push(title.getText(source).slice(1, -1))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return titles
}

const files = filesOf('{server,client,contract-tests,openapi}/**/*.ts')
  .map((file) => ({ file, text: read(file) }))
  .filter(({ text }) => text.includes("from 'vitest'"))
const titles = files.flatMap(({ file, text }) => titlesIn(file, text).map((title) => ({ file, title })))

test('every test title has at most 80 characters', () => {
  const long = titles.filter(({ title }) => title.length > LENGTH_MAX)
  expect(long.map(({ file, title }) => `${file}: ${title}`)).toEqual([])
})

test('the check finds titles of plain tests, tables and wrappers', () => {
  const text = "test('plain', run)\ntest.each([1])('table %i', run)\ntestByNight(`of ${kind}`, run)"
  expect(titlesIn('example.test.ts', text)).toEqual(['plain', 'table %i', 'of ${kind}'])
  expect(titles.length).toBeGreaterThan(3_000)
})

/** Times that end a wait for an event: of `expect.poll` and `vi.waitFor`, and of `until`. */
const GIVES_UP = /\btimeout: ([\d_]+)|^ *(?:await |return |void )?until\((?:[^;]*?)[,\n] *([\d_]+),/gm

// A busy machine may need many seconds for what usually takes none: such a time ends only what hangs.
test('no test gives up an event before a minute has passed', () => {
  const times = files.flatMap(({ file, text }) =>
    [...text.matchAll(GIVES_UP)].map(([, ofPoll, ofUntil]) => ({
      file,
      ms: Number((ofPoll ?? ofUntil)?.replaceAll('_', '')),
    })),
  )
  expect(times.filter(({ ms }) => ms < 60_000)).toEqual([])
  expect(times.length).toBeGreaterThan(20)
})
