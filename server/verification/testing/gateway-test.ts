import { beforeEach, onTestFinished } from 'vitest'
import { createMalipo, type Malipo } from '../../../client/index.ts'
import type { StartEnvironment } from '../../start/surroundings.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { forFile } from './for-file.ts'
import {
  DEMO_KEYS,
  fixedClock,
  startTestGateway,
  type FixedClock,
  type TestGateway,
  type TestGatewayOptions,
} from './gateway.ts'
import { startReceiver, type Receiver } from './receiver.ts'

type MerchantUrl = `${'collection' | 'payout' | 'refund'}_callback_url` | 'verification_url'

export interface GatewayTest {
  readonly database: TestDatabase
  readonly gateway: TestGateway
  /** The gateway's clock: it stands still until a test advances it. */
  readonly clock: FixedClock
  /** Runs the due jobs, advances the clock by this much, and runs the jobs that are due then. */
  after(ms: number): Promise<void>
  /** Another gateway on the same database and clock, until the end of the test. */
  beside(env?: TestGatewayOptions['env']): Promise<TestGateway>
  /** A merchant's server; before each test it forgets what it has received, and replies 200. */
  readonly receiver: Receiver
  /** Our client with the demo merchant's keys. */
  readonly malipo: Malipo
}

interface GatewayTestOptions {
  /** One that the file already has; a new one by default. */
  readonly database?: TestDatabase
  /** One that the file already has; a new one by default. */
  readonly clock?: FixedClock
  /** The merchants' URLs that lead to the receiver; none by default. */
  readonly toReceiver?: readonly MerchantUrl[]
  readonly surroundings?: Partial<Omit<StartEnvironment, 'clock'>>
  readonly env?: TestGatewayOptions['env']
}

/** For a gateway together with something in real time: another process, or a library that reads the machine's clock. */
type RealTimeOptions = Omit<GatewayTestOptions, 'clock'> & { readonly clock: 'real' }
type OnRealTime = Omit<GatewayTest, 'clock' | 'after' | 'beside'>

/**
 * The real gateway for all tests of a file, and the fixtures around it. Awaited at the top of the file, which then has
 * constants and no hooks; it is closed after the last test, the database last.
 */
export async function gatewayTest(options: RealTimeOptions): Promise<OnRealTime>
export async function gatewayTest(options?: GatewayTestOptions): Promise<GatewayTest>
export async function gatewayTest({
  database: given,
  clock: wanted = fixedClock(),
  toReceiver = [],
  surroundings,
  env,
}: GatewayTestOptions | RealTimeOptions = {}): Promise<OnRealTime | GatewayTest> {
  const database = given ?? (await forFile(createTestDatabase()))
  const receiver = await forFile(startReceiver())
  beforeEach(() => receiver.forget())
  const clock = wanted === 'real' ? {} : { clock: wanted }
  const start = (more: TestGatewayOptions['env'], around: typeof surroundings = {}) =>
    startTestGateway({
      connection: database.connection,
      surroundings: { ...around, ...clock },
      ...(more && { env: more }),
    })
  const gateway = await forFile(start(env, surroundings))
  if (toReceiver.length > 0) {
    await gateway.pool.query(`update merchants set ${toReceiver.map((column) => `${column} = $1`).join(', ')}`, [
      receiver.url,
    ])
    await gateway.refresh()
  }
  const malipo = createMalipo({
    baseUrl: gateway.url,
    publicKey: DEMO_KEYS['public-key'],
    secretKey: DEMO_KEYS['secret-key'],
  })
  const opened = { database, gateway, receiver, malipo }
  if (wanted === 'real') return opened
  return {
    ...opened,
    clock: wanted,
    async beside(more) {
      const other = await start(more)
      onTestFinished(() => other.stop())
      return other
    },
    async after(ms: number) {
      await gateway.runDue()
      wanted.advance(ms)
      await gateway.runDue()
    },
  }
}
