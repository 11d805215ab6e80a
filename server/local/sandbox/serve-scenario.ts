import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ReferenceData } from '../../actions/ports/reference-data.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { readCapped } from '../../http/body.ts'
import { isSameOrigin, parameter, sendJson, type RouteDeps } from './inbox-http.ts'
import { DEMO_MERCHANT } from './providers.ts'
import type { Scenario } from './scenario.ts'
import type { Scenarios } from './scenarios.ts'

const SCENARIO = '/sandbox/scenario'
const BODY_MAX_BYTES = 256 * 1024
const MEDIA_TYPE = /^application\/(json|yaml|x-yaml)\s*(;|$)/i

interface ScenarioDeps extends Pick<RouteDeps, 'clock' | 'refuse' | 'allowOnly'> {
  readonly reference: Pick<ReferenceData, 'merchantByPublicKey'>
  readonly scenarios: Scenarios
}

/** Serves the scenario of a merchant (openapi/sandbox.yaml). */
export function serveScenario(app: FastifyInstance, deps: ScenarioDeps): void {
  const { clock, reference, scenarios, refuse, allowOnly } = deps

  /** Answers for a merchant; one that does not exist is refused. */
  async function forMerchant(
    request: FastifyRequest,
    reply: FastifyReply,
    publicKey: string | undefined,
    answer: (merchant: Merchant) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const key = publicKey ?? parameter(request, 'merchant') ?? DEMO_MERCHANT.keys.publicKey
    const merchant = await reference.merchantByPublicKey(key)
    return merchant ? answer(merchant) : refuse(request, reply, 400, `There is no merchant ${key.slice(0, 100)}`)
  }

  async function show(request: FastifyRequest, reply: FastifyReply, merchant: Merchant): Promise<FastifyReply> {
    const loaded = await scenarios.find(merchant.id)
    if (!loaded) return refuse(request, reply, 404, `No scenario is loaded for ${merchant.publicKey}`)
    const { scenario, loadedAt, orders } = loaded
    return sendJson(reply, { merchant: merchant.publicKey, scenario, loaded_at: loadedAt.toISOString(), orders })
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: SCENARIO,
    handler: (request, reply) => forMerchant(request, reply, undefined, (merchant) => show(request, reply, merchant)),
  })

  app.put(SCENARIO, async (request, reply) => {
    if (!isSameOrigin(request)) return refuse(request, reply, 403, NOT_BY_PAGES)
    if (!MEDIA_TYPE.test(request.headers['content-type'] ?? ''))
      return refuse(request, reply, 415, 'Content-Type must be application/json or application/yaml')
    const body = await readCapped(request.raw, BODY_MAX_BYTES)
    if (typeof body === 'string')
      return refuse(request, reply, 413, `The scenario is larger than ${BODY_MAX_BYTES} bytes, or incomplete`, {
        connection: 'close',
      })
    const scenario = await read(body)
    if (typeof scenario === 'string') return refuse(request, reply, 400, scenario)
    return forMerchant(request, reply, scenario.merchant, async (merchant) => {
      await scenarios.load(merchant.id, scenario, clock.now())
      return show(request, reply, merchant)
    })
  })

  app.delete(SCENARIO, async (request, reply) => {
    if (!isSameOrigin(request)) return refuse(request, reply, 403, NOT_BY_PAGES)
    return forMerchant(request, reply, undefined, async ({ id }) => {
      await scenarios.remove(id)
      return reply.code(204).send()
    })
  })

  app.get(`${SCENARIO}.schema.json`, async (_request, reply) =>
    sendJson(reply, (await import('./read-scenario.ts')).SCENARIO_SCHEMA),
  )

  allowOnly(app, SCENARIO, ['GET', 'HEAD', 'PUT', 'DELETE'])
  allowOnly(app, `${SCENARIO}.schema.json`, ['GET'])
}

const NOT_BY_PAGES = 'Scenarios are loaded by programs, not by pages'

/** Its readers load with the first scenario: most sandboxes have none. */
async function read(body: Buffer): Promise<Scenario | string> {
  return (await import('./read-scenario.ts')).readScenario(body.toString('utf8'))
}
