// A merchant's whole program around one recipe, run as a process of its own: it serves the recipe, and runs the tasks
// of its parent.
import { createMalipo, type CollectionRequest, type PayoutRequest } from '@malipo/client'
import { orders, payouts } from '../shop.ts'
import { RECIPES, recipeServers } from './recipe-servers.ts'

/** Tasks of the merchant's customers and clerks. */
export type Task =
  | { readonly type: 'collect'; readonly request: CollectionRequest }
  | { readonly type: 'pay'; readonly request: PayoutRequest }
  | { readonly type: 'look up'; readonly reference: string }

/**
 * The result of a task: a reply of the gateway, or the status of an order; the first message says where
 * `@malipo/client` was found.
 */
export type Outcome = {
  readonly paymentUrl?: string | undefined
  readonly status?: string | undefined
  readonly client?: string
  readonly error?: string
}

const { MALIPO_URL = '', MALIPO_SECRET_KEY } = process.env
const malipo = createMalipo({ baseUrl: MALIPO_URL, publicKey: 'pub_sandbox_demo', secretKey: MALIPO_SECRET_KEY })

async function done(task: Task): Promise<Outcome> {
  switch (task.type) {
    case 'collect': {
      // Stored before the call: the callback may be faster than the reply.
      orders.set(task.request.merchant_reference, 'open')
      return { paymentUrl: (await malipo.collections.initialize(task.request)).payment_url }
    }
    case 'pay': {
      payouts.add(task.request.merchant_reference)
      orders.set(task.request.merchant_reference, 'open')
      await malipo.payouts.send(task.request)
      return {}
    }
    case 'look up':
      return { status: orders.get(task.reference) }
  }
}

const report = (outcome: Outcome) => void process.send?.(JSON.stringify(outcome))

const [name, port] = process.argv.slice(2)
const recipe = RECIPES.find((recipe) => recipe === name)
if (recipe === undefined) throw new Error(`there is no recipe ${name}`)
process.on(
  'message',
  (text) =>
    void done(JSON.parse(String(text)) as Task)
      .catch((error): Outcome => ({ error: String(error) }))
      .then(report),
)
const server = await recipeServers[recipe]()
server.listen(Number(port), '127.0.0.1', () => report({ client: import.meta.resolve('@malipo/client') }))
