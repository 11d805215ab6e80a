// Writes the docs: dist/docs.html, one file that works offline, and dist/docs/, the same pages as Markdown with their
// llms.txt.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { consolePart } from './console-part.ts'
import { readContract } from './contract.ts'
import { llmsText, markdownPages } from './pages.ts'
import { placesIn, placesScript } from './places.ts'
import { shownContract } from './shown-contract.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const CONSOLE_HERE = '<!-- console -->'
const PLACES_HERE = '<!-- places -->'
/** The credit line would load it from elsewhere; this file asks nobody else for anything. */
const REMOTE_LOGO = 'https://cdn.redoc.ly/redoc/logo-mini-full.svg'

function redocly(...args: readonly string[]): void {
  try {
    execFileSync(join(root, 'node_modules', '.bin', 'redocly'), [...args, '--config', 'openapi/redocly.yaml'], {
      cwd: root,
      stdio: 'pipe',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
    })
  } catch (error) {
    if (!(error instanceof Error) || !('stdout' in error) || !('stderr' in error)) throw error
    throw new Error(`redocly ${args[0]} failed:\n${String(error.stdout)}${String(error.stderr)}`, { cause: error })
  }
}

/** In one step: a gateway may be serving the file. */
function replaceFile(file: string, text: string): void {
  const next = `${file}.${process.pid}`
  writeFileSync(next, text)
  renameSync(next, file)
}

/** @param dist the folder to write into */
export function buildDocs(dist: string): void {
  const temporary = mkdtempSync(join(tmpdir(), 'malipo-docs-'))
  try {
    const bundleFile = join(temporary, 'openapi.json')
    redocly('bundle', 'openapi/openapi.yaml', '-o', bundleFile)
    const bundle = readFileSync(bundleFile, 'utf8')
    const contract = readContract(bundle)

    const pages = markdownPages(contract)
    const folder = join(dist, 'docs')
    mkdirSync(folder, { recursive: true })
    const texts = new Map([
      ...pages.map(({ slug, markdown }): [string, string] => [`${slug}.md`, markdown]),
      ['llms.txt', llmsText(contract, pages)],
    ])
    for (const [name, text] of texts) replaceFile(join(folder, name), text)
    for (const name of readdirSync(folder)) if (!texts.has(name)) rmSync(join(folder, name), { force: true })

    const htmlFile = join(temporary, 'docs.html')
    const places = placesIn(contract)
    writeFileSync(bundleFile, shownContract(bundle, places))
    redocly('build-docs', bundleFile, '--inlineBundle', '--template', 'openapi/docs.hbs', '-o', htmlFile)
    const html = readFileSync(htmlFile, 'utf8').replaceAll(REMOTE_LOGO, 'data:,')
    // The first mark stands in the head, the last one at the end of the page; in between lies a program that may say
    // the same.
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

if (import.meta.main) buildDocs(join(root, 'dist'))
