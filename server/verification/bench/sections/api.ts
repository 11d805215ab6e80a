import type pg from 'pg'
import { startGatewayProcess, type GatewayProcess } from '../gateway-process.ts'
import { CONNECTIONS, median, type Load } from '../load.ts'
import { loadCollections, measureAccepting, type AcceptingResult } from '../measure-accepting.ts'
import { lookUp, measureProviders, perSecond, type ProvidersResult } from '../measure-providers.ts'
import { startFastify } from '../peers/peer-server.ts'
import { createInsertPeer } from '../peers/pgbench.ts'
import { residentMb, temporaryFolder } from '../processes.ts'
import { readProfile } from '../profile.ts'
import type { Explanation, Figure } from '../report.ts'
import { atLeast, atMost, connectTo, rate, type Section } from '../section.ts'

const ROUNDS = 3
const COSTS_SHOWN = 15
const TARGETS = { fastify: 0.5, pgbench: 0.8, p99Ms: 14, residentMb: 250 }

/** Answers and accepts only: role api, jobs are left to other processes. */
export const apiSection: Section = {
  name: 'api',
  what: 'provider lookups and accepting, role api, beside Fastify + Ajv and pgbench',
  async run(step) {
    const gateway = await startGatewayProcess('api', await temporaryFolder())
    const { client, connection, close } = await connectTo(gateway)
    const postgres = await settingsOf(client)
    step('provider lookups: gateway, Fastify + Ajv')
    const providers = await measureProviders(gateway, ROUNDS)
    const peer = await createInsertPeer(connection, await temporaryFolder(), client)
    step('accepting: gateway, pgbench')
    const second = await startGatewayProcess('api', gateway.dataDir, { database: connection })
    const byHand = await startFastify(await temporaryFolder(), connection)
    const accepting = await measureAccepting(gateway, second, { peer, byHand }, client, ROUNDS)
    await byHand.stop()
    const resident = await residentMb(gateway.pid)
    await second.stop()
    await close()
    await gateway.stop()
    const figures = figuresOf(providers, accepting, resident)
    return {
      figures,
      notes: notesOf(providers, accepting),
      explanations: await explainMissed(figures, providers, accepting, step),
      postgres,
      raw: { providers, accepting },
    }
  },
}

async function settingsOf(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, current_setting(name) as setting from unnest(array['server_version', 'fsync', 'synchronous_commit', 'wal_sync_method', 'shared_buffers']) as name`,
  )
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

function figuresOf(providers: ProvidersResult, accepting: AcceptingResult, resident: number): Figure[] {
  const lookups = perSecond(providers.gateway)
  const accepted = perSecond(accepting.gateway)
  const inserted = perSecond(accepting.peer)
  const failed = [
    ...providers.gateway,
    ...providers.fastify,
    ...accepting.gateway,
    ...accepting.both.flat(),
    ...accepting.byHand,
  ].reduce((sum, load) => sum + load.failed, 0)
  return [
    {
      name: 'provider lookups',
      value: rate(lookups),
      peer: `Fastify + Ajv by hand ${rate(perSecond(providers.fastify))}`,
      ...atLeast(TARGETS.fastify, lookups / perSecond(providers.fastify)),
    },
    {
      name: 'accepted collections, role api',
      value: rate(accepted),
      peer: `pgbench ${rate(inserted)}`,
      ...atLeast(TARGETS.pgbench, accepted / inserted),
    },
    {
      name: '  their 99th percentile',
      ...atMost(TARGETS.p99Ms, 'ms', median(accepting.gateway.map(({ p99Ms }) => p99Ms))),
    },
    ...figuresOfBoth(accepting),
    ...figuresByHand(accepting),
    { name: 'memory after the load, role api', ...atMost(TARGETS.residentMb, 'MB', resident) },
    { name: 'replies that were not as expected', ...atMost(0, 'replies', failed) },
  ]
}

function figuresOfBoth(accepting: AcceptingResult): Figure[] {
  const inserted = perSecond(accepting.peer)
  return [
    {
      name: 'accepted by two processes of role api',
      value: rate(acceptedByBoth(accepting)),
      peer: `pgbench ${rate(inserted)}`,
      ratio: acceptedByBoth(accepting) / inserted,
    },
    {
      name: '  their 99th percentile',
      value: `${median(accepting.both.map((loads) => Math.max(...loads.map(({ p99Ms }) => p99Ms)))).toFixed(0)} ms`,
    },
  ]
}

function figuresByHand({ byHand, peer }: AcceptingResult): Figure[] {
  const inserted = perSecond(peer)
  return [
    {
      name: '  by hand: Fastify + Ajv + pg, one row',
      value: rate(perSecond(byHand)),
      peer: `pgbench ${rate(inserted)}`,
      ratio: perSecond(byHand) / inserted,
    },
    { name: '  their 99th percentile', value: `${median(byHand.map(({ p99Ms }) => p99Ms)).toFixed(0)} ms` },
  ]
}

const acceptedByBoth = ({ both }: AcceptingResult): number =>
  median(both.map((loads) => loads.reduce((sum, { perSecond: each }) => sum + each, 0)))

const notesOf = (providers: ProvidersResult, accepting: AcceptingResult): string[] => [
  `${CONNECTIONS} keep-alive connections, one request at a time on each; medians of ${ROUNDS} rounds in turn with the peers, each after a warm-up; the generator shares the processors.`,
  'Gateway and peer write one line per lookup to a file.',
  'Accepting: each collection is one row each in transactions, references, limits and jobs. pgbench inserts one row per commit, and so does the peer by hand for each request.',
  `Two processes: ${CONNECTIONS / 2} connections each, on one database, alternately with the others.`,
  `Cores used by accepting: ${coresOf(accepting.gateway)}. By lookups: ${coresOf(providers.gateway)}.`,
]

function coresOf(loads: readonly Load[]): string {
  const of = (part: keyof Load['cores']) => median(loads.flatMap(({ cores }) => cores[part] ?? [])).toFixed(2)
  return `gateway ${of('server')}, generator ${of('generator')}, PostgreSQL and the rest ${of('rest')}, idle ${of('idle')}`
}

/** A missed target is reported together with the profile that explains it. */
async function explainMissed(
  figures: readonly Figure[],
  providers: ProvidersResult,
  accepting: AcceptingResult,
  step: (text: string) => void,
): Promise<Explanation[]> {
  const missed = (name: string) => figures.some((figure) => figure.name.startsWith(name) && figure.reached === false)
  const profile = (of: string, cores: string, load: (gateway: GatewayProcess) => Promise<unknown>) => {
    step(`${of}: once more with a profile, because the target was missed`)
    return profiled(of, cores, load)
  }
  return [
    ...(missed('provider lookups') ? [await profile('provider lookups', coresOf(providers.gateway), lookUp)] : []),
    ...(missed('accepted collections')
      ? [await profile('accepted collections', coresOf(accepting.gateway), loadCollections)]
      : []),
  ]
}

async function profiled(
  of: string,
  cores: string,
  load: (gateway: GatewayProcess) => Promise<unknown>,
): Promise<Explanation> {
  const folder = await temporaryFolder()
  const gateway = await startGatewayProcess('api', await temporaryFolder(), {
    nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${folder}`],
  })
  await load(gateway)
  await gateway.stop()
  return {
    of,
    text: `the target was missed. Cores: ${cores}. Busy time of the gateway's process (start-up included):`,
    costs: await readProfile(folder, COSTS_SHOWN),
  }
}
