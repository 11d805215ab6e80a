import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { SETTINGS } from '../server/settings.ts'
import { PUBLISHED } from './packages.ts'

const root = new URL('../', import.meta.url)
const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8')

/** Variables that the chart sets itself, or that only a secret may hold. */
const NOT_FOR_VALUES =
  /SECRET|_KEY\b|KEY_OLD|DATABASE_URL|^(HOST|PORT|PUBLIC_BASE_URL|XDG_CONFIG_HOME|MALIPO_(MODE|DATA_DIR|SPOOL_DIR|METRICS_HOST|METRICS_PORT))$/

/** The settings that values of the Helm chart may have. */
export const CHART_SETTINGS: readonly string[] = Object.values(SETTINGS)
  .map(({ name }) => name)
  .filter((name) => !NOT_FOR_VALUES.test(name))
  .toSorted()

/**
 * The files of server/deploy that name the release or the settings, by path from the root: their text as it is, with the
 * version of package.json, the settings of now, and a source of the image that is ours.
 */
export async function deploymentFiles(published = PUBLISHED): Promise<Readonly<Record<string, string>>> {
  const { version } = JSON.parse(textOf('package.json')) as { version: string }
  const chart = 'server/deploy/helm/malipo'
  const schema = JSON.parse(textOf(`${chart}/values.schema.json`)) as {
    properties: { settings: { propertyNames: { enum: readonly string[] } } }
  }
  schema.properties.settings.propertyNames.enum = CHART_SETTINGS
  const config = await resolveConfig(fileURLToPath(new URL('README.md', root)))
  const written = (path: string, pattern: RegExp, now: string) => ({ [path]: textOf(path).replace(pattern, now) })
  return {
    [`${chart}/values.schema.json`]: await format(JSON.stringify(schema), { ...config, parser: 'json' }),
    ...written(`${chart}/Chart.yaml`, /^(version|appVersion): .*$/gm, `$1: ${version}`),
    // Until it is published, whoever takes the name runs an image in our users' clusters.
    ...written(`${chart}/values.yaml`, /(?<=^ {2}pullPolicy: ).*$/m, published ? 'IfNotPresent' : 'Never'),
    ...written('server/deploy/compose/compose.yaml', /(?<=^ {2}pull_policy: ).*$/m, published ? 'missing' : 'never'),
    ...written('server/deploy/fly/fly.toml', /(?<=^ {2}image = "[^"]*:)[^":]+/m, version),
  }
}
