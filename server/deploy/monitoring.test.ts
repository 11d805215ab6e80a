import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { parseExposition, type Family } from '../metrics/testing/test-exposition.ts'
import { createTestDatabase, databaseUrl } from '../testing/database.ts'
import { forFile } from '../testing/for-file.ts'
import { freePort } from '../testing/free-port.ts'
import { MASTER_KEY } from '../testing/gateway.ts'
import { collect, mobileMoneyCollection } from '../testing/requests.ts'
import { serve, until } from '../testing/served-gateway.ts'
import { run, testWith } from './testing/tools.ts'

// What is watched is what a process really exports: names, labels and, where they are words of ours, their values.

const folder = fileURLToPath(new URL('.', import.meta.url))

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}
const rulesIn = (text: string): readonly Rule[] =>
  (load(text) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules)

const rules = rulesIn(await readFile(join(folder, 'prometheus/alerts.yaml'), 'utf8'))

interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}
const { panels } = JSON.parse(await readFile(join(folder, 'grafana/malipo.json'), 'utf8')) as { panels: Panel[] }

const expressions = [
  ...rules.map(({ alert, expr }) => ({ where: `alert ${alert}`, expr })),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ where: `panel "${title}"`, expr }))),
]

/** With the real rails over HTTP, so that there is something to tell of operators. */
async function startedProcess(): Promise<{ url: string; metricsUrl: string }> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const { connection } = await forFile(createTestDatabase('template0'))
  const dataDir = await mkdtemp(join(tmpdir(), 'malipo-monitoring-'))
  const gateway = await serve({
    dataDir,
    port,
    env: {
      DATABASE_URL: databaseUrl(connection),
      MALIPO_MASTER_KEY: MASTER_KEY,
      MALIPO_METRICS_PORT: String(metricsPort),
      MALIPO_SANDBOX_RAILS: 'wire',
      MALIPO_SANDBOX_DELAY_MS: '50',
    },
  })
  await forFile(
    Promise.resolve({
      async end() {
        gateway.child.kill('SIGTERM')
        await gateway.exited
        await rm(dataDir, { recursive: true, force: true })
      },
    }),
  )
  return { url: gateway.url, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` }
}

/** What the process has exported once a payment is over, its merchant told, and all checks of the background made. */
async function exported(): Promise<ReadonlyMap<string, Family>> {
  const { url, metricsUrl } = await startedProcess()
  const { status, body } = await collect(url, mobileMoneyCollection())
  if (status !== 202) throw new Error(`not accepted: ${JSON.stringify(body)}`)
  const wrongAddress = `${url}/operators/sandbox-uganda/wrong/0`
  return until(
    async () => {
      await fetch(wrongAddress, { method: 'PUT', body: '{}' })
      const families = parseExposition(await (await fetch(metricsUrl)).text())
      const isSeen = (name: string) => (families.get(name)?.samples.length ?? 0) > 0
      const delivered = families
        .get('malipo_callbacks_total')
        ?.samples.some(({ labels, value }) => labels.outcome === 'delivered' && value > 0)
      const awaited = ['malipo_ledger_balanced', 'malipo_ledger_recount_age_seconds', 'malipo_rail_balance_age_seconds']
      return delivered === true && awaited.every(isSeen) && families
    },
    60_000,
    'a payment, a callback and every check of the background in the metrics',
  )
}
const families = await exported()

/** Made by Prometheus itself. */
const OF_PROMETHEUS: readonly string[] = ['up']
const OF_EVERY_TARGET: readonly string[] = ['job', 'instance']
/** Their values are not known before they come. */
const OPEN_LABELS: readonly string[] = ['status', 'operation', ...OF_EVERY_TARGET]

const SELECTOR = /\b(up|(?:malipo|process|nodejs)_[a-z0-9_]+)\b(?:\{([^}]*)\})?/g
const MATCHER = /([a-z_]+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g

interface Selector {
  readonly name: string
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[]
}
const selectorsIn = (expr: string): readonly Selector[] =>
  [...expr.matchAll(SELECTOR)].map(([, name = '', inside = '']) => ({
    name,
    matchers: [...inside.matchAll(MATCHER)].map(([, label = '', operator = '', value = '']) => ({
      label,
      operator,
      value,
    })),
  }))

const samplesOf = (name: string) =>
  (families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, '')))?.samples.filter(
    (sample) => sample.name === name,
  ) ?? []

function faultsIn({ name, matchers }: Selector): readonly string[] {
  if (OF_PROMETHEUS.includes(name)) return []
  const samples = samplesOf(name)
  if (samples.length === 0) return [`${name} is not exported`]
  return matchers.flatMap(({ label, operator, value }) => {
    if (OF_EVERY_TARGET.includes(label)) return []
    if (samples.every(({ labels }) => labels[label] === undefined)) return [`${name} has no label ${label}`]
    const isWord = !OPEN_LABELS.includes(label) && !operator.endsWith('~')
    return isWord && samples.every(({ labels }) => labels[label] !== value)
      ? [`no ${name} has ${label}="${value}"`]
      : []
  })
}

test.each(expressions)('$where asks for what a process exports', ({ expr }) => {
  const selectors = selectorsIn(expr)
  expect(selectors.length).toBeGreaterThan(0)
  expect(selectors.flatMap(faultsIn)).toEqual([])
  const known = new Set([
    ...OF_EVERY_TARGET,
    ...selectors.flatMap(({ name }) => samplesOf(name).flatMap(({ labels }) => Object.keys(labels))),
  ])
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/))
  expect(grouped.filter((label) => !known.has(label))).toEqual([])
})

test('a metric, a label and a word that no process exports are noticed', () => {
  const faults = [
    'malipo_accepted_total',
    'malipo_accepts_total{outcome="error"}',
    'malipo_accepts_total{result="failed"}',
  ].flatMap((expr) => selectorsIn(expr).flatMap(faultsIn))
  expect(faults).toHaveLength(3)
})

test('every alert says how urgent it is, what happened and what to do', () => {
  expect(rules.length).toBeGreaterThan(20)
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  const wrong = rules.filter(
    ({ labels, annotations }) =>
      !['page', 'ticket'].includes(labels?.severity ?? '') || !annotations?.summary || !annotations.action,
  )
  expect(wrong.map(({ alert }) => alert)).toEqual([])
})

test('the rules on the page "Rails" are those of the file', async () => {
  const page = await readFile(join(folder, '../../openapi/pages/rails.md'), 'utf8')
  const [, block = ''] = /```yaml\n(groups:.*?)```/s.exec(page) ?? []
  const told = rulesIn(block).map(({ alert, expr, for: held }) => ({ alert, expr, held }))
  const here = rules.map(({ alert, expr, for: held }) => ({ alert, expr, held }))
  expect(told.length).toBeGreaterThan(5)
  expect(here).toEqual(expect.arrayContaining(told))
})

testWith(['promtool'], 'prometheus')(
  'promtool takes rules, their tests, the configuration and the dashboard',
  async () => {
    const cwd = join(folder, 'prometheus')
    const asRules = {
      groups: [
        {
          name: 'dashboard',
          rules: expressions.map(({ expr }, index) => ({
            record: `panel:${index}`,
            expr: expr.replaceAll('$__rate_interval', '5m'),
          })),
        },
      ],
    }
    const scratch = await mkdtemp(join(tmpdir(), 'malipo-rules-'))
    try {
      await writeFile(join(scratch, 'dashboard.json'), JSON.stringify(asRules)) // JSON is YAML
      for (const args of [
        ['check', 'rules', 'alerts.yaml'],
        ['test', 'rules', 'alerts-unit-tests.yaml'],
        ['check', 'config', 'prometheus.yaml'],
        ['check', 'rules', join(scratch, 'dashboard.json')],
      ])
        expect(await run('promtool', args, { cwd }), args.join(' ')).toMatchObject({ code: 0 })
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
  },
)
