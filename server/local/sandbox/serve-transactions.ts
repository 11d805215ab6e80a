import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { timelineOf } from '../../admin/queries/timeline.ts'
import { findTransactions } from '../../admin/queries/transactions.ts'
import { storable } from './inbox-message.ts'
import { refuseWith, sendJson, sendPage, wantsJson, type RouteDeps } from './inbox-http.ts'
import { transactionPage, type TransactionTimeline } from './transaction-page.ts'

const URL_OF_ONE = '/sandbox/transactions/:reference'
/** More merchants than this share a reference only by intent. */
const SHOWN_MAX = 20

/** The events of a transaction, as `malipo transaction events` prints them, as a page and as JSON. */
export function serveTransactions(app: FastifyInstance, deps: Omit<RouteDeps, 'clock'>): void {
  type TransactionRequest = FastifyRequest<{ Params: { reference: string } }>
  const show = async (request: TransactionRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const reference = storable(request.params.reference)
    const found = (await findTransactions(deps.pool, reference, undefined)).slice(0, SHOWN_MAX)
    if (found.length === 0)
      return refuseWith(deps, request, reply, {
        status: 404,
        title: 'There is no such transaction',
        why: 'No transaction has this reference',
      })
    const reported: TransactionTimeline[] = await Promise.all(
      found.map(async (transaction) => ({ transaction, steps: await timelineOf(deps.pool, transaction) })),
    )
    return wantsJson(request)
      ? sendJson(reply, { transactions: reported.map(toWire) })
      : sendPage(reply, transactionPage(reference, reported))
  }
  app.route({ method: ['GET', 'HEAD'], url: URL_OF_ONE, handler: show })
  deps.allowOnly(app, URL_OF_ONE, ['GET', 'HEAD'])
}

const toWire = ({ transaction, steps }: TransactionTimeline) => ({
  merchant_public_key: transaction.merchantPublicKey,
  merchant_reference: transaction.merchantReference,
  internal_reference: transaction.internalReference,
  transaction_type: transaction.type,
  transaction_status: transaction.status,
  status_message: transaction.statusMessage,
  events: steps.map(({ at, kind, detail }) => ({ at: at.toISOString(), kind, detail })),
})
