// Builds the docs: dist/docs/ with one page per guide and operation, the same pages as Markdown, and llms.txt; and
// dist/docs.html, everything in one file that works offline.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseDocument } from '../reading/contract.ts'
import type { OpenApiDocument } from '../reading/document.ts'
import { bundleInto, CONFIG, redocly } from '../redocly.ts'
import { changelogPage, type ChangelogSources } from './changelog-page.ts'
import { consolePart } from './console-part.ts'
import { llmsText } from './llms-text.ts'
import { markdownPages } from './pages.ts'
import { placesIn, placesScript } from './places.ts'
import { redocContract } from './redoc-contract.ts'
import { siteFiles } from './site/site.ts'

const CONSOLE_HERE = '<!-- console -->'
const PLACES_HERE = '<!-- places -->'
/** The credit line would load its image from another host; this file loads nothing. */
const REMOTE_LOGO = 'https://cdn.redoc.ly/redoc/logo-mini-full.svg'

/** Atomically: a gateway may be serving the file. */
function replaceFile(file: string, text: string): void {
  const next = `${file}.${process.pid}`
  writeFileSync(next, text)
  renameSync(next, file)
}

/** Both contracts, the notes about the changes between them, and earlier releases. */
function changelogSources(current: OpenApiDocument): ChangelogSources {
  const textOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
  return {
    changelog: textOf('../../CHANGELOG.md'),
    released: JSON.parse(textOf('../release/released.json')) as ChangelogSources['released'],
    history: JSON.parse(textOf('../release/history.json')) as ChangelogSources['history'],
    current,
  }
}

/** Writes assets first and deletes old files last, so that a page never names a missing file. */
function writeFolder(folder: string, texts: ReadonlyMap<string, string>): void {
  mkdirSync(join(folder, 'assets'), { recursive: true })
  const names = [...texts.keys()].toSorted(
    (one, other) => Number(other.startsWith('assets/')) - Number(one.startsWith('assets/')),
  )
  for (const name of names) replaceFile(join(folder, name), texts.get(name) ?? '')
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (!texts.has(name.replaceAll('\\', '/')) && statSync(join(folder, name)).isFile())
      rmSync(join(folder, name), { force: true })
}

/** @param dist the folder to write into */
export function buildDocs(dist: string): void {
  const temporary = mkdtempSync(join(tmpdir(), 'malipo-docs-'))
  try {
    const bundleFile = join(temporary, 'openapi.json')
    const bundle = bundleInto(bundleFile)
    const contract = parseDocument(bundle)

    const pages = [...markdownPages(contract), changelogPage(changelogSources(contract))]
    writeFolder(
      join(dist, 'docs'),
      new Map([
        ...siteFiles(contract, pages),
        ...pages.map(({ slug, markdown }): [string, string] => [`${slug}.md`, markdown]),
        ['llms.txt', llmsText(contract, pages)],
      ]),
    )

    const htmlFile = join(temporary, 'docs.html')
    const places = placesIn(contract)
    writeFileSync(bundleFile, redocContract(bundle, places))
    redocly('build-docs', bundleFile, '--inlineBundle', '--template', 'openapi/docs.hbs', '-o', htmlFile, ...CONFIG)
    const html = readFileSync(htmlFile, 'utf8').replaceAll(REMOTE_LOGO, 'data:,')
    // The first mark is in the head, the last one at the end of the page; the program between them may contain the same
    // text.
    const [head, foot] = [html.indexOf(PLACES_HERE), html.lastIndexOf(CONSOLE_HERE)]
    if (head < 0 || foot < head) throw new Error(`openapi/docs.hbs has no ${PLACES_HERE} or no ${CONSOLE_HERE}`)
    replaceFile(
      join(dist, 'docs.html'),
      [
        html.slice(0, head),
        placesScript(places),
        html.slice(head + PLACES_HERE.length, foot),
        consolePart(contract),
        html.slice(foot + CONSOLE_HERE.length),
      ].join(''),
    )
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

if (import.meta.main) buildDocs(fileURLToPath(new URL('../../dist', import.meta.url)))
