// Writes dist/operators/<name>.html from generated/operators/<name>.json: one page per operator, one file that works
// offline, like our own docs.
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '../../reading/json.ts'
import { redocly } from '../../redocly.ts'
import { OPERATORS, type Operator } from '../operators.ts'
import { redocBundle } from './redoc-bundle.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const CONFIG = 'openapi/operators/redocly.yaml'
const TEMPLATE = 'openapi/operators/docs/docs.hbs'
/** The credit line would load its image from another host; these files load nothing. */
const REMOTE_LOGO = 'https://cdn.redoc.ly/redoc/logo-mini-full.svg'

/** @param dist the folder whose `operators/` receives the pages */
export function buildOperatorDocs(dist: string): void {
  const temporary = mkdtempSync(join(tmpdir(), 'malipo-operators-'))
  try {
    mkdirSync(join(dist, 'operators'), { recursive: true })
    for (const operator of OPERATORS) {
      const [shown, html] = [join(temporary, `${operator}.json`), join(temporary, `${operator}.html`)]
      writeFileSync(shown, JSON.stringify(redocBundle(bundleOf(operator))))
      buildPage(shown, html)
      const page = join(dist, 'operators', `${operator}.html`)
      // Atomically: a gateway may be serving the file.
      writeFileSync(`${page}.${process.pid}`, readFileSync(html, 'utf8').replaceAll(REMOTE_LOGO, 'data:,'))
      renameSync(`${page}.${process.pid}`, page)
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

const bundleOf = (operator: Operator): JsonObject =>
  JSON.parse(readFileSync(join(root, 'generated', 'operators', `${operator}.json`), 'utf8')) as JsonObject

function buildPage(from: string, to: string): void {
  redocly('build-docs', from, '--inlineBundle', '--template', TEMPLATE, '--config', CONFIG, '-o', to)
}

if (import.meta.main) buildOperatorDocs(join(root, 'dist'))
