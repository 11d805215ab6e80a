// `npm run bench`: the gateway beside its peers on this machine, in one run. Prints a table, writes it to dist/bench/ and ends with 0, whether
// the targets are reached or not: a busy machine is no failure of the code. It ends with 1 when something could not be measured.
import pg from 'pg'
import { openDatabase } from '../storage/database.ts'
import { startGatewayProcess, type GatewayProcess } from './gateway-process.ts'
import { CONNECTIONS, median, type Load } from './load.ts'
import { describeMachine } from './machine.ts'
import { loadCollections, measureAccepting, measureAllInOne, type AcceptingResult, type AllInOneResult } from './measure-accepting.ts'
import { lookUp, measureProviders, perSecond, type ProvidersResult } from './measure-providers.ts'
import { measurePage, type PageResult } from './measure-page.ts'
import { createInsertPeer } from './peers/pgbench.ts'
import { cleanUp, PROJECT_ROOT, residentMb, RESULTS_FOLDER, temporaryFolder } from './processes.ts'
import { readProfile } from './profile.ts'
import { formatReport, wholeNumber, writeReport, type Explanation, type Figure } from './report.ts'
import { measureStart, type StartTimes } from './startup.ts'

const LIMIT_MS = 240_000
const ROUNDS = 3
const DRAIN_PATIENCE_MS = 20_000
const COSTS_SHOWN = 15

const TARGETS = { fastify: 0.5, prism: 5, pgbench: 1, p99Ms: 50, coldMs: 5_000, warmMs: 2_000, residentMb: 250, pageKb: 50 }

interface Measured {
  readonly starts: readonly StartTimes[]
  readonly providers: ProvidersResult
  readonly accepting: AcceptingResult
  readonly peerName: string
  readonly allInOne: AllInOneResult
  readonly page: PageResult
  readonly residentMb: { readonly api: number; readonly all: number }
}

const step = (text: string) => console.error(`… ${text}`)

async function bench(): Promise<void> {
  step(`npm start, cold and warm, ${ROUNDS} times`)
  const starts: StartTimes[] = []
  for (let round = 0; round < ROUNDS; round += 1) starts.push(await measureStart())

  const api = await measureApi()
  step('accepting, role all')
  const all = await measureAll()

  const { postgres, ...of } = api
  const measured: Measured = { starts, ...of, allInOne: all.result, page: all.page, residentMb: { api: api.residentMb, all: all.residentMb } }
  const figures = toFigures(measured)
  const explanations = await explainMissed(figures, measured)
  const report = { date: new Date().toISOString(), machine: await describeMachine(PROJECT_ROOT), postgres, figures, notes: notesOf(measured), explanations, raw: measured }
  const path = await writeReport(report, RESULTS_FOLDER)
  console.log(`\n${formatReport(report)}\n\nwritten to ${path}.txt and .json`)
}

async function measureApi() {
  const gateway = await startGatewayProcess('api', await temporaryFolder())
  const { client, connection, close } = await connectTo(gateway)
  const postgres = await settingsOf(client)
  step('provider lookups: gateway, Fastify + Ajv, Prism')
  const providers = await measureProviders(gateway, ROUNDS)
  const peer = await createInsertPeer(connection, await temporaryFolder(), client)
  step(`accepting, role api: gateway, ${peer.name}`)
  const accepting = await measureAccepting(gateway, peer, client, ROUNDS)
  const resident = await residentMb(gateway.pid)
  await close()
  await gateway.stop()
  return { providers, accepting, peerName: peer.name, residentMb: resident, postgres }
}

async function measureAll() {
  const gateway = await startGatewayProcess('all', await temporaryFolder())
  const { client, close } = await connectTo(gateway)
  const page = await measurePage(gateway)
  const result = await measureAllInOne(gateway, client, DRAIN_PATIENCE_MS)
  const resident = await residentMb(gateway.pid)
  await close()
  await gateway.stop()
  return { result, page, residentMb: resident }
}

async function connectTo(gateway: GatewayProcess) {
  const database = await openDatabase({ databaseUrl: undefined, dataDir: gateway.dataDir, role: 'guest' })
  const client = new pg.Client(database.connection)
  // When the bench is broken off the gateway takes its PostgreSQL along: nothing to report.
  client.on('error', () => {})
  await client.connect()
  return { client, connection: database.connection, close: async () => { await client.end(); await database.stop() } }
}

async function settingsOf(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, current_setting(name) as setting from unnest(array['server_version', 'fsync', 'synchronous_commit', 'wal_sync_method', 'shared_buffers']) as name`)
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

function toFigures({ starts, providers, accepting, peerName, allInOne, page, residentMb }: Measured): Figure[] {
  const atLeast = (target: number, ratio: number) => ({ ratio, target: `≥ ${target} ×`, reached: ratio >= target })
  const atMost = (target: number, unit: string, value: number) => ({ value: `${wholeNumber(value)} ${unit}`, target: `≤ ${wholeNumber(target)} ${unit}`, reached: value <= target })
  const rate = (value: number) => `${wholeNumber(value)}/s`
  const lookups = perSecond(providers.gateway)
  const accepted = perSecond(accepting.gateway)
  const inserted = perSecond(accepting.peer)
  const p99 = (loads: readonly Load[]) => median(loads.map(({ p99Ms }) => p99Ms))
  return [
    { name: 'provider lookups', value: rate(lookups), peer: `Fastify + Ajv by hand ${rate(perSecond(providers.fastify))}`, ...atLeast(TARGETS.fastify, lookups / perSecond(providers.fastify)) },
    { name: 'provider lookups', value: rate(lookups), peer: `Prism ${rate(perSecond(providers.prism))}`, ...atLeast(TARGETS.prism, lookups / perSecond(providers.prism)) },
    { name: '  peers without request log', value: rate(lookups), peer: `Fastify + Ajv ${rate(perSecond(providers.bareFastify))}`, ratio: lookups / perSecond(providers.bareFastify) },
    { name: '', value: rate(lookups), peer: `Prism ${rate(perSecond(providers.silentPrism))}`, ratio: lookups / perSecond(providers.silentPrism) },
    { name: 'accepted collections, role api', value: rate(accepted), peer: `${peerName} ${rate(inserted)}`, ...atLeast(TARGETS.pgbench, accepted / inserted) },
    { name: '  their 99th percentile', ...atMost(TARGETS.p99Ms, 'ms', p99(accepting.gateway)) },
    { name: 'accepted collections, role all', value: rate(allInOne.load.perSecond), peer: `${peerName} ${rate(inserted)}`, ratio: allInOne.load.perSecond / inserted },
    { name: '  their 99th percentile', value: `${wholeNumber(allInOne.load.p99Ms)} ms` },
    { name: '  final meanwhile', value: rate(allInOne.finalPerSecond) },
    { name: '  delivered meanwhile', value: rate(allInOne.deliveredPerSecond) },
    { name: 'npm start to the first 200, cold', ...atMost(TARGETS.coldMs, 'ms', median(starts.map(({ coldMs }) => coldMs))) },
    { name: 'npm start to the first 200, warm', ...atMost(TARGETS.warmMs, 'ms', median(starts.map(({ warmMs }) => warmMs))) },
    { name: 'memory after the load, role api', ...atMost(TARGETS.residentMb, 'MB', residentMb.api) },
    { name: 'memory after the load, role all', ...atMost(TARGETS.residentMb, 'MB', residentMb.all) },
    { name: 'payment page with all it loads', ...atMost(TARGETS.pageKb, 'kB', page.bytes / 1000) },
    { name: '  its first byte', value: `${page.firstByteMs.toFixed(1)} ms` },
    { name: 'replies that were not as expected', ...atMost(0, 'replies', failures({ providers, accepting, allInOne })) },
  ]
}

const failures = ({ providers, accepting, allInOne }: Pick<Measured, 'providers' | 'accepting' | 'allInOne'>): number =>
  [...Object.values(providers).flat() as Load[], ...accepting.gateway, allInOne.load].reduce((sum, { failed }) => sum + failed, 0)

function notesOf({ accepting, providers, allInOne, peerName }: Measured): string[] {
  const drained = allInOne.drainedAfterSeconds === undefined ? `not within ${DRAIN_PATIENCE_MS / 1000} s` : `after ${allInOne.drainedAfterSeconds.toFixed(1)} s`
  return [
    `${CONNECTIONS} keep-alive connections, one request at a time on each; medians of ${ROUNDS} rounds in turn with the peers, each after a warm-up; the generator shares the processors.`,
    'Gateway and peers write one line per lookup to a file (Prism several, as npm run mock does); the peers without log are shown for orientation.',
    `Compared with the target is role api, the accepting path alone: each collection is one row each in transactions, references, limits and work. ${peerName} inserts one row per commit.`,
    `Role all is what npm start gives: the same process settles, signs and delivers to its own inbox meanwhile. Everything was final and delivered ${drained} after the load.`,
    ...(allInOne.firstError === undefined ? [] : [`Its log has errors; the first: ${allInOne.firstError}`]),
    `Cores used by accepting: ${coresOf(accepting.gateway)}. By lookups: ${coresOf(providers.gateway)}.`,
  ]
}

function coresOf(loads: readonly Load[]): string {
  const of = (part: keyof Load['cores']) => median(loads.flatMap(({ cores }) => cores[part] ?? [])).toFixed(2)
  return `gateway ${of('server')}, generator ${of('generator')}, PostgreSQL and the rest ${of('rest')}, idle ${of('idle')}`
}

/** What is missed is reported with the profile that explains it. */
async function explainMissed(figures: readonly Figure[], { accepting, providers }: Measured): Promise<Explanation[]> {
  const missed = (name: string) => figures.some((figure) => figure.name.startsWith(name) && figure.reached === false)
  const explanations: Explanation[] = []
  if (missed('provider lookups')) explanations.push(await profiled('provider lookups', coresOf(providers.gateway), async (gateway) => void (await lookUp(gateway))))
  if (missed('accepted collections')) explanations.push(await profiled('accepted collections', coresOf(accepting.gateway), async (gateway) => void (await loadCollections(gateway))))
  return explanations
}

async function profiled(of: string, cores: string, load: (gateway: GatewayProcess) => Promise<void>): Promise<Explanation> {
  step(`${of}: once more with a profile, because the target was missed`)
  const folder = await temporaryFolder()
  const gateway = await startGatewayProcess('api', await temporaryFolder(), ['--cpu-prof', `--cpu-prof-dir=${folder}`])
  await load(gateway)
  await gateway.stop()
  return { of, text: `the target was missed. Cores: ${cores}. Busy time of the gateway's process (start-up included):`, costs: await readProfile(folder, COSTS_SHOWN) }
}

let ending = false
async function end(code: number, reason?: string): Promise<void> {
  if (ending) return
  ending = true
  if (reason !== undefined) console.error(reason)
  await cleanUp()
  process.exit(code)
}

process.on('SIGINT', () => void end(130, 'broken off'))
process.on('SIGTERM', () => void end(143, 'broken off'))
setTimeout(() => void end(1, `not done after ${LIMIT_MS / 1000} s: given up`), LIMIT_MS).unref()

await bench().then(() => end(0), (error: unknown) => end(1, error instanceof Error ? `${error.stack}${error.cause ? `\n${String(error.cause)}` : ''}` : String(error)))
