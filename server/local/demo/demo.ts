import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { SIMULATORS, startSimulator, type Simulator } from '../../../openapi/operators/simulator/index.ts'
import { railEnv } from '../../../openapi/operators/simulator/rail-command.ts'
import { environmentWith } from '../../config.ts'
import { present } from '../../domain/present.ts'
import { DEMO_MERCHANT } from '../sandbox/providers.ts'
import { startShop, type Shop } from './shop.ts'
import type { Stage } from './stage.ts'

/** How the demo runs commands of Malipo: this program, with its options. */
export interface Program {
  readonly command: string
  readonly args: readonly string[]
}

const RAIL = 'mtn-demo'
const MSISDN = '256772000123'
const REFERENCE = 'ORDER-2026-0001'
const AMOUNT = 5_000
const PATIENCE_MS = 120_000

/**
 * Plays one payment through three accidents, in processes of its own: the operator's reply is lost, the gateway is
 * killed in the middle, and the merchant's server answers the callback with 500. Then the books are compared.
 * @returns whether the money moved once, and is booked once
 * @throws Error when a step does not happen in time
 */
export async function playDemo(stage: Stage, program: Program): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-demo-'))
  const ends: (() => unknown)[] = []
  try {
    stage.say('$ malipo demo', 'dim')
    const operator = await startSimulator(present(SIMULATORS['mtn-momo'], 'its simulator')({ currency: 'UGX' }), {
      port: 0,
    })
    ends.push(() => operator.close())
    const shop = await startShop(DEMO_MERCHANT.keys.webhookSecret)
    ends.push(() => shop.close())
    const gateway = createGateway(program, folder)
    ends.push(() => gateway.stop())
    await gateway.start()
    await connect(gateway, operator, shop)
    stage.say('The gateway runs, with a PostgreSQL, a simulator of MTN, and a shop.')
    await play(stage, gateway, operator, shop)
    return await compareBooks(stage, gateway, operator, shop)
  } finally {
    for (const end of ends.reverse()) await end()
    await rm(folder, { recursive: true, force: true })
  }
}

async function play(stage: Stage, gateway: Gateway, operator: Simulator, shop: Shop): Promise<void> {
  operator.scenarios.add([{ on: { operation: 'requestToPay' }, effect: { do: 'close', when: 'after' } }])
  await collect(gateway.url())
  stage.say(`1  The shop asks for UGX ${AMOUNT.toLocaleString('en')}: 202, stored.`, 'title')
  const order = await until('MTN has the order', () => operator.world.orders.all()[0])
  stage.say('2  MTN prompts the customer, and its reply is lost on the way.', 'bad')
  await gateway.kill()
  stage.say('3  kill -9: the gateway is gone in the middle of it.', 'bad')
  await gateway.start()
  stage.say('   Started again, on the same database.', 'dim')
  operator.lifecycle.decide(order, 'approved')
  stage.say('4  The customer enters the PIN. MTN reports it.')
  const first = await inTime('the callback', shop.delivery(1))
  stage.say(`5  Callback ${first.event}: the shop answers 500.`, 'bad')
  const second = await inTime('the callback again', shop.delivery(2))
  const isSame = second.webhookId === first.webhookId
  stage.say(`6  Seconds later again, ${isSame ? 'the same webhook-id' : 'ANOTHER webhook-id'}: 204.`, 'good')
}

async function compareBooks(stage: Stage, gateway: Gateway, operator: Simulator, shop: Shop): Promise<boolean> {
  await wait(1_000)
  const shown = await gateway.run(['transaction', 'show', REFERENCE, '--json'])
  const { transaction_status: status } = JSON.parse(shown) as { readonly transaction_status: string }
  const isClean = await gateway.run(['doctor', '--full']).then(
    () => true,
    () => false,
  )
  const paid = operator.world.orders.all().filter(({ state }) => state === 'succeeded')
  const ids = new Set(shop.deliveries.map(({ webhookId }) => webhookId))
  const rows = [
    ['MTN counts', `${operator.world.orders.all().length} order, ${paid.length} paid`, paid.length === 1],
    ['our books', `${status}, booked once; doctor: ${isClean ? 'every check held' : 'A CHECK FAILED'}`, isClean],
    [
      'the shop',
      `${ids.size} event in ${shop.deliveries.length} deliveries, ${shop.deliveries.every(({ isSigned }) => isSigned) ? 'all signed' : 'NOT ALL SIGNED'}`,
      ids.size === 1 && shop.deliveries.every(({ isSigned }) => isSigned),
    ],
  ] as const
  stage.say('')
  for (const [name, found, isGood] of rows)
    stage.say(`${isGood ? '✓' : '✗'}  ${name.padEnd(12)}${found}`, isGood ? 'good' : 'bad')
  return rows.every(([, , isGood]) => isGood) && status === 'COMPLETED'
}

async function connect(gateway: Gateway, operator: Simulator, shop: Shop): Promise<void> {
  const at = ['--currency', 'UGX', '--base-url', operator.url, '--from', '-']
  await gateway.run(['rail', 'add', RAIL, 'mtn-momo', ...at], railEnv(operator.open))
  await gateway.run(['provider', 'set', 'mtn_ug', '--rail', RAIL, '--reason', 'the demo'])
  await gateway.run([
    'merchant',
    'set',
    DEMO_MERCHANT.keys.publicKey,
    '--collection-callback-url',
    shop.url,
    '--reason',
    'the demo',
  ])
}

async function collect(url: string): Promise<void> {
  const response = await fetch(`${url}/collections/initialize`, {
    method: 'POST',
    headers: {
      'public-key': DEMO_MERCHANT.keys.publicKey,
      'x-api-version': '1',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      transaction_method: 'MOBILE_MONEY',
      provider_code: 'mtn_ug',
      merchant_reference: REFERENCE,
      msisdn: MSISDN,
      currency: 'UGX',
      amount: AMOUNT,
      description: 'Two coffees please',
    }),
  })
  if (response.status !== 202) throw new Error(`the collection was answered with ${response.status}`)
}

interface Gateway {
  /** Starts it on the same data and port. */
  start(): Promise<void>
  url(): string
  /** With SIGKILL. */
  kill(): Promise<void>
  stop(): Promise<void>
  /** Runs another command on its database. @throws Error with what it printed */
  run(args: readonly string[], input?: string): Promise<string>
}

function createGateway({ command, args }: Program, folder: string): Gateway {
  const environment = (port: string) =>
    environmentWith({
      PORT: port,
      MALIPO_DATA_DIR: folder,
      MALIPO_SANDBOX_HISTORY: 'none',
      MALIPO_ADMIN_PORT: 'off',
      MALIPO_CONSOLE_PORT: 'off',
      LOG_LEVEL: 'silent',
    })
  let child: ChildProcess | undefined
  let [url, port] = ['', '0']
  const ended = async (signal: NodeJS.Signals): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }
  async function run(given: readonly string[], input = ''): Promise<string> {
    const running = spawn(command, [...args, ...given], { env: environment(port), stdio: 'pipe' })
    running.stdin.end(input)
    const exit = once(running, 'exit')
    const [out, err] = await Promise.all([text(running.stdout), text(running.stderr)])
    await exit
    if (running.exitCode !== 0) throw new Error(`malipo ${given.slice(0, 2).join(' ')}: ${err || out}`)
    return out
  }
  return {
    async start() {
      child = spawn(command, [...args, 'serve', '--json'], {
        env: environment(port),
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const { stdout } = child
      if (!stdout) throw new Error('the gateway has no output')
      const started = await inTime('the gateway', firstJson(stdout))
      url = started.url
      port = new URL(url).port
    },
    url: () => url,
    kill: () => ended('SIGKILL'),
    stop: () => ended('SIGTERM'),
    run,
  }
}

async function firstJson(output: NonNullable<ChildProcess['stdout']>): Promise<{ readonly url: string }> {
  let seen = ''
  for await (const chunk of output.setEncoding('utf8')) {
    seen += String(chunk)
    if (!/^\}$/m.test(seen)) continue
    // Nobody reads what it prints later.
    output.resume()
    return JSON.parse(seen) as { readonly url: string }
  }
  throw new Error(`the gateway did not start: ${seen}`)
}

async function until<Value>(what: string, look: () => Value | undefined): Promise<Value> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += 20) {
    const found = look()
    if (found !== undefined) return found
    await wait(20)
  }
  throw new Error(`${what} did not come in time`)
}

const inTime = <Value>(what: string, promise: Promise<Value>): Promise<Value> =>
  Promise.race([
    promise,
    wait(PATIENCE_MS, undefined, { ref: false }).then(() => {
      throw new Error(`${what} did not come in time`)
    }),
  ])
