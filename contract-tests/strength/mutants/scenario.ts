import type { Gateway } from '../../../server/main.ts'
import { asOwner, type TestDatabase } from '../../../server/verification/testing/database.ts'
import { DEMO_KEYS, fixedClock, seededRandom, startTestGateway } from '../../../server/verification/testing/gateway.ts'
import type { OpenApiDocument } from '../../../openapi/reading/document.ts'
import type { Corpus, RecordedExchange } from './corpus.ts'
import { collections, lookups, payouts } from './payments.ts'
import { startMerchant } from './merchant.ts'
import { startRecorder } from './recorder.ts'
import { keepOldWebhookSecret, stretchReferenceData } from './reference-data.ts'
import { boundaries } from './boundary-requests.ts'
import { refusals } from './refusals.ts'
import { OPERATION_BY_PATH, type MutantFixture } from './fixture.ts'
import { bounds, outages, tooMany } from './trouble.ts'

export interface ScenarioOptions {
  /** A migrated and seeded database that nothing else uses. */
  readonly connection: TestDatabase['connection']
  readonly seed: number
}

/** Records everything in the contract: complete payments, every refusal, each field at its limits. */
export async function record(contract: OpenApiDocument, { connection, seed }: ScenarioOptions): Promise<Corpus> {
  const clock = fixedClock()
  // Counts all gateways: the next one must not generate the first one's references again
  const random = seededRandom(`mutants ${seed}`)
  const start = (rateLimit: string, more: Readonly<Record<string, string>> = {}): Promise<Gateway> =>
    startTestGateway({
      connection,
      surroundings: { clock, random, checkReplies: false },
      env: {
        MALIPO_RATE_LIMIT: rateLimit,
        MALIPO_RATE_LIMIT_ADDRESS: rateLimit,
        MALIPO_DATABASE_CONNECTIONS: '8',
        ...more,
      },
    })
  const gateway = await start('1000000', {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', // nobody collects the traces
    OTEL_TRACES_SAMPLER: 'parentbased_always_off',
  })
  const exchanges: RecordedExchange[] = []
  const recorder = await startRecorder(gateway.url, exchanges)
  const merchant = await startMerchant()
  try {
    const front = await recorder.merchant(merchant.url, (path) => OPERATION_BY_PATH[path])
    await stretchReferenceData(gateway, front.url)
    const fixture: MutantFixture = {
      gateway,
      recorder,
      merchant,
      shop: `${front.url}/shop?order=7`,
      contract,
      passTime: async (ms) => {
        await gateway.runDue()
        clock.advance(ms)
        await gateway.runDue()
      },
    }
    await playOut(fixture)
  } finally {
    await gateway.stop()
    await recorder.close()
    await merchant.close()
  }
  const bounded = await start('1000000', {
    MALIPO_OTP_SENDS_MAX: '4',
    MALIPO_OTP_WRONG_TRIES_MAX: '1',
    MALIPO_PROMPTS_PER_HOUR: '1',
  })
  await onGateway(bounded, async (running) => {
    await bounds(running, exchanges)
    await asOwner(connection, `select setval('transaction_ids', ${LAST_ID}, false)`)
  })
  await onGateway(await start('1'), (running) => tooMany(running, exchanges))
  return { exchanges, keys: { publicKey: DEMO_KEYS['public-key'], secretKey: DEMO_KEYS['secret-key'] } }
}

async function onGateway(gateway: Gateway, use: (gateway: Gateway) => Promise<void>): Promise<void> {
  try {
    await use(gateway)
  } finally {
    await gateway.stop()
  }
}

/** The largest `id` that the contract allows. */
const LAST_ID = Number.MAX_SAFE_INTEGER

async function playOut(fixture: MutantFixture): Promise<void> {
  await collections(fixture)
  await keepOldWebhookSecret(fixture.gateway)
  await payouts(fixture)
  await lookups(fixture)
  await refusals(fixture)
  await boundaries(fixture)
  await fixture.gateway.runDue()
  await outages(fixture)
}
