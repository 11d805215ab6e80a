import type pg from 'pg'
import {
  loadCollections,
  lookUp,
  measureAccepting,
  measureLookups,
  p99Of,
  type AcceptingResult,
  type LookupsResult,
} from '../api-loads.ts'
import { startGatewayProcess, type GatewayProcess } from '../gateway-process.ts'
import { CONNECTIONS, middleCost, perSecond } from '../load.ts'
import { costFigures, type Cost } from '../meter.ts'
import { startFastify } from '../peers/peer-server.ts'
import { createInsertPeer } from '../peers/pgbench.ts'
import { residentMb, temporaryFolder } from '../processes.ts'
import { readProfile } from '../profile.ts'
import type { Explanation, Figure } from '../report.ts'
import { atLeast, atMost, atMostTimes, connectTo, rate, type Section } from '../section.ts'

const ROUNDS = 3
const COSTS_SHOWN = 15
const TARGETS = { pgbench: 0.8, byHand: 1.8, byHandP99: 1, lookup: 2, residentMb: 250 }

/** Answers and accepts only: role api, jobs are left to other processes. */
export const apiSection: Section = {
  name: 'api',
  what: 'provider lookups and accepting, role api, beside Fastify + Ajv and pgbench',
  async run(step) {
    const gateway = await startGatewayProcess('api', await temporaryFolder())
    const access = await connectTo(gateway)
    const postgres = await settingsOf(access.client)
    step('provider lookups: gateway, Fastify + Ajv')
    const lookups = await measureLookups(gateway, ROUNDS)
    const pgbench = await createInsertPeer(gateway.connection, await temporaryFolder(), access.client)
    step('accepting: gateway, pgbench')
    const second = await startGatewayProcess('api', gateway.dataDir, { beside: gateway })
    const byHand = await startFastify(await temporaryFolder(), gateway.connection)
    const accepting = await measureAccepting([gateway, second], { pgbench, byHand }, access, ROUNDS)
    await byHand.stop()
    const resident = await residentMb(gateway.pid)
    await second.stop()
    await access.close()
    await gateway.stop()
    const figures = figuresOf(lookups, accepting, resident)
    return {
      figures,
      notes: NOTES,
      explanations: await explainMissed(figures, step),
      postgres,
      raw: { lookups, accepting },
    }
  },
  async costsOf(tree, step) {
    const gateway = await startGatewayProcess('api', await temporaryFolder(), { tree })
    const { metered, close } = await connectTo(gateway)
    const server = { port: gateway.port, metered: metered({ API: gateway.pid }) }
    step(`${tree.name}: lookups, collections`)
    for (const warmUp of [() => lookUp(gateway), () => loadCollections(server)]) await warmUp()
    const loads = { 'provider lookup': await lookUp(gateway), 'accepted collection': await loadCollections(server) }
    await close()
    await gateway.stop()
    return Object.entries(loads).map(([name, { cost, failed, firstFailure }]) => {
      if (failed > 0) throw new Error(`${tree.name}: ${failed} replies fail, the first: ${firstFailure}`)
      return { name, cost }
    })
  },
}

async function settingsOf(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, current_setting(name) as setting from unnest(array['server_version', 'fsync', 'synchronous_commit', 'wal_sync_method', 'shared_buffers']) as name`,
  )
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

const costOf = (loads: readonly { readonly cost: Cost }[]): Cost => middleCost(loads.map(({ cost }) => cost))

function figuresOf(lookups: LookupsResult, accepting: AcceptingResult, resident: number): Figure[] {
  const failed = [
    ...lookups.gateway,
    ...lookups.fastify,
    ...accepting.gateway,
    ...accepting.both,
    ...accepting.byHand,
  ].reduce((sum, load) => sum + load.failed, 0)
  const peer = { name: 'Fastify + Ajv', cost: costOf(lookups.fastify) }
  const [first, ...others] = costFigures('provider lookup', costOf(lookups.gateway), peer)
  return [
    {
      name: 'provider lookups',
      value: rate(perSecond(lookups.gateway)),
      peer: `Fastify + Ajv by hand ${rate(perSecond(lookups.fastify))}`,
      ratio: perSecond(lookups.gateway) / perSecond(lookups.fastify),
    },
    ...(first ? [{ ...first, ...atMostTimes(TARGETS.lookup, first.ratio ?? Number.NaN) }] : []),
    ...others,
    ...acceptingFigures(accepting),
    { name: 'memory after the load, role api', ...atMost(TARGETS.residentMb, 'MB', resident) },
    { name: 'replies that were not as expected', ...atMost(0, 'replies', failed) },
  ]
}

function acceptingFigures({ gateway, both, pgbench, byHand }: AcceptingResult): Figure[] {
  const inserts = `pgbench ${rate(perSecond(pgbench))}`
  return [
    {
      name: 'accepted collections, role api',
      value: rate(perSecond(gateway)),
      peer: inserts,
      ...atLeast(TARGETS.pgbench, perSecond(gateway) / perSecond(pgbench)),
    },
    {
      name: '',
      value: rate(perSecond(gateway)),
      peer: `by hand, one insert a request ${rate(perSecond(byHand))}`,
      ...atLeast(TARGETS.byHand, perSecond(gateway) / perSecond(byHand)),
    },
    {
      name: '  their 99th percentile',
      value: `${p99Of(gateway).toFixed(0)} ms`,
      peer: `by hand ${p99Of(byHand).toFixed(0)} ms`,
      ...atMostTimes(TARGETS.byHandP99, p99Of(gateway) / p99Of(byHand)),
    },
    ...costFigures('accepted collection', costOf(gateway), { name: 'by hand', cost: costOf(byHand) }),
    {
      name: 'accepted by two processes of role api',
      value: rate(perSecond(both)),
      peer: `one process ${rate(perSecond(gateway))}`,
      ratio: perSecond(both) / perSecond(gateway),
    },
    { name: '  their 99th percentile', value: `${p99Of(both).toFixed(0)} ms` },
    ...costFigures('accepted by one of two', costOf(both)),
    {
      name: 'by hand: Fastify + Ajv + pg, one row',
      value: rate(perSecond(byHand)),
      peer: inserts,
      ratio: perSecond(byHand) / perSecond(pgbench),
    },
  ]
}

const NOTES = [
  `${CONNECTIONS} keep-alive connections, one request at a time on each; medians of ${ROUNDS} rounds in turn with the peers, each after a warm-up; the generator shares the processors.`,
  'Gateway and peer write one line per lookup to a file.',
  'Accepting: each collection is one row each in transactions, references, limits and jobs. pgbench inserts one row per commit, and so does the peer by hand for each request.',
  `Two processes: ${CONNECTIONS / 2} connections each, on one database, alternately with the others.`,
]

/** A missed target is reported together with the profile that explains it. */
async function explainMissed(figures: readonly Figure[], step: (text: string) => void): Promise<Explanation[]> {
  const loads: Readonly<Record<string, (gateway: GatewayProcess) => Promise<unknown>>> = {
    'provider lookup': lookUp,
    'accepted collections': ({ pid, port }) => loadCollections({ port, metered: { processes: { API: pid } } }),
  }
  const explanations: Explanation[] = []
  for (const [of, load] of Object.entries(loads)) {
    if (!figures.some(({ name, reached }) => name.startsWith(of) && reached === false)) continue
    step(`${of}: once more with a profile, because the target was missed`)
    explanations.push(await profiled(of, load))
  }
  return explanations
}

async function profiled(of: string, load: (gateway: GatewayProcess) => Promise<unknown>): Promise<Explanation> {
  const folder = await temporaryFolder()
  const gateway = await startGatewayProcess('api', await temporaryFolder(), {
    nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${folder}`],
  })
  await load(gateway)
  await gateway.stop()
  return {
    of,
    text: "the target was missed. Busy time of the gateway's process (start-up included):",
    costs: await readProfile(folder, COSTS_SHOWN),
  }
}
