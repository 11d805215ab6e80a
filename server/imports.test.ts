import { dirname, join, matchesGlob, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { filesOf, importsIn, read } from './verification/testing/source-tree.ts'

// server/README.md lists folders, and its arrows say which folder may import which; this test enforces them.

/** `openapi/release → openapi/reading`: the folder, and what it may import besides itself. */
const arrows: ReadonlyMap<string, readonly string[]> = new Map(
  (/```arrows\n(.*?)```/s.exec(read('server/README.md'))?.[1] ?? '')
    .split('\n')
    .filter((line) => line.includes('→'))
    .map((line) => line.split('→').map((side) => side.trim()))
    .map(([folder = '', allowed = '']) => [folder, allowed.split(' ').filter(Boolean)]),
)

const files = filesOf('{server,client,contract-tests,openapi}/**/*.{ts,js}').filter(
  (file) => !file.startsWith('client/toolbox/templates/'),
)
const isTest = (file: string): boolean => /\.test\.ts$|\/(testing|packaging)\/|^client\/recipes\//.test(file)
const isIn = (file: string, path: string): boolean => file === path || file.startsWith(`${path}/`)

const importsOf = (file: string): string[] => importsIn(file, read(file))

/** The innermost folder that contains a file. */
function folderOf(file: string): string | undefined {
  const folder = file.slice(0, Math.max(file.lastIndexOf('/'), 0))
  return folder === '' || arrows.has(folder) ? folder || undefined : folderOf(folder)
}

test('every file of the tree is in a folder of server/README.md', () => {
  expect(files.filter((file) => folderOf(file) === undefined)).toEqual([])
})

test.each([...arrows])('%s imports only what it may: %j', (folder, allowed) => {
  const wrong = files
    .filter((file) => folderOf(file) === folder && !isTest(file))
    .flatMap((file) =>
      importsOf(file)
        .filter((imported) => folderOf(imported) !== folder && !allowed.some((path) => isIn(imported, path)))
        .map((imported) => `${file} → ${imported}`),
    )
  expect(wrong).toEqual([])
})

test.each([...arrows])('%s imports something of each of %j', (folder, allowed) => {
  const imported = files.filter((file) => folderOf(file) === folder && !isTest(file)).flatMap(importsOf)
  const unused = allowed.filter((path) => !imported.some((file) => isIn(file, path) && folderOf(file) !== folder))
  expect(unused).toEqual([])
})

test('no part of the contract tests imports another part', () => {
  const partOf = (file: string): string | undefined => /^contract-tests\/parts\/([^/]+)\//.exec(file)?.[1]
  const wrong = files
    .filter((file) => partOf(file) !== undefined)
    .flatMap((file) => importsOf(file).map((imported) => [file, imported] as const))
    .filter(([file, imported]) => partOf(imported) !== undefined && partOf(imported) !== partOf(file))
  expect(wrong.map((pair) => pair.join(' → '))).toEqual([])
})

test('no folder may import all of the server', () => {
  expect([...arrows].filter(([, allowed]) => allowed.includes('server')).map(([folder]) => folder)).toEqual([])
})

test('no file imports itself through others, not even for its types', () => {
  const graph = new Map(files.map((file) => [file, importsOf(file)]))
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file) || path.includes(file)) return
    for (const imported of graph.get(file) ?? []) visit(imported, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  expect(circles).toEqual([])
})

test('the check finds arrows and imports', () => {
  expect(arrows.size).toBeGreaterThan(20)
  expect(files.flatMap(importsOf).length).toBeGreaterThan(1_000)
})

test('copies what unit tests of `npm run mutation` import or read to where they run', () => {
  const folder = 'contract-tests/strength'
  const { ignorePatterns } = JSON.parse(read(`${folder}/stryker.config.json`)) as { ignorePatterns: string[] }
  /**
   * The same semantics as Stryker's: the last pattern that matches a file or one of its folders wins, and `!` includes
   * it again.
   */
  const isSkipped = (file: string): boolean =>
    ignorePatterns
      .findLast((pattern) => {
        const glob = pattern.replace(/^!/, '')
        return file.split('/').some((_, depth, parts) => matchesGlob(parts.slice(0, depth + 1).join('/'), glob))
      })
      ?.startsWith('!') === false
  const readBy = (file: string): string[] =>
    [...read(file).matchAll(/new URL\('(\.[^']+\.\w+)', import\.meta\.url\)/g)].map(([, path = '']) =>
      normalize(join(dirname(file), path)),
    )
  const globs = [...read(`${folder}/stryker.vitest.ts`).matchAll(/'(server\/[^']+)'/g)].map(([, glob = '']) => glob)
  const needed = new Set(filesOf(globs))
  expect(needed.size).toBeGreaterThan(20)
  // Files added during the loop are visited too.
  for (const file of needed) for (const next of [...importsOf(file), ...readBy(file)]) needed.add(next)
  expect([...needed].filter(isSkipped)).toEqual([])
  // The contract's reader, which a domain test imports, is included again; the docs builder is not.
  expect(['openapi/reading/contract.ts', 'openapi/docs/build.ts', 'client/amount-check.ts'].map(isSkipped)).toEqual([
    false,
    true,
    true,
  ])
})

test('the domain and the actions use no time, chance or network', () => {
  const forbidden = /\bDate\.now\b|new Date\(\)|Math\.random|\bsetTimeout\b|\bsetInterval\b|\bfetch\(|process\.env/
  const wrong = files
    .filter((file) => /^server\/(domain|actions)\//.test(file) && !isTest(file))
    .filter((file) => forbidden.test(read(file)))
  expect(wrong).toEqual([])
})

test('takes no file URL for a path: a space or an umlaut differs between them', () => {
  const others = files.filter((file) => file !== 'server/imports.test.ts')
  const wrong = others.filter((file) => {
    const text = read(file)
    return (/import\.meta/.test(text) && /\.pathname\b/.test(text)) || text.includes('file://${')
  })
  expect(wrong).toEqual([])
})

test('only config.ts reads the environment', () => {
  const readers = files.filter(
    (file) =>
      /^server\/(?!verification\/(?:testing|bench|chaos))/.test(file) &&
      !isTest(file) &&
      /process\.env/.test(read(file)),
  )
  expect(readers).toEqual(['server/config.ts'])
})
