// Writes one page for each contract beside the merchants': dist/operators/<name>.html for every operator, and
// dist/admin.html for the admin API. Each is one file that works offline, like our own docs.
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withRoles } from '../../admin/with-roles.ts'
import type { JsonObject } from '../../reading/json.ts'
import { redocly } from '../../redocly.ts'
import { OPERATORS } from '../operators.ts'
import { redocBundle } from './redoc-bundle.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const TEMPLATE = 'openapi/operators/docs/docs.hbs'
/** The credit line would load its image from another host; these files load nothing. */
const REMOTE_LOGO = 'https://cdn.redoc.ly/redoc/logo-mini-full.svg'

interface Page {
  readonly file: string
  readonly bundle: JsonObject
  readonly config: string
}

const bundleOf = (name: string): JsonObject =>
  JSON.parse(readFileSync(join(root, 'generated', `${name}.json`), 'utf8')) as JsonObject

const pages = (now: Date): readonly Page[] => [
  ...OPERATORS.map((operator) => ({
    file: `operators/${operator}.html`,
    bundle: redocBundle(bundleOf(`operators/${operator}`), now),
    config: 'openapi/operators/redocly.yaml',
  })),
  { file: 'admin.html', bundle: withRoles(bundleOf('admin')), config: 'openapi/admin/redocly.yaml' },
]

/**
 * @param dist the folder that receives the pages
 * @param now the pages mark facts that are old by then
 */
export function buildOtherDocs(dist: string, now: Date): void {
  const temporary = mkdtempSync(join(tmpdir(), 'malipo-pages-'))
  try {
    mkdirSync(join(dist, 'operators'), { recursive: true })
    for (const { file, bundle, config } of pages(now)) {
      const [shown, html] = [join(temporary, 'bundle.json'), join(temporary, 'page.html')]
      writeFileSync(shown, JSON.stringify(bundle))
      redocly('build-docs', shown, '--inlineBundle', '--template', TEMPLATE, '--config', config, '-o', html)
      const page = join(dist, file)
      // Atomically: a gateway may be serving the file.
      writeFileSync(`${page}.${process.pid}`, readFileSync(html, 'utf8').replaceAll(REMOTE_LOGO, 'data:,'))
      renameSync(`${page}.${process.pid}`, page)
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

if (import.meta.main) buildOtherDocs(join(root, 'dist'), new Date())
