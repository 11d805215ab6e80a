import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { timelineOf } from '../../admin/queries/timeline.ts'
import { findTransactions, type StaffTransaction } from '../../admin/queries/transactions.ts'
import { transactionUrl } from './inbox-filter.ts'
import { storable } from '../../domain/received/message.ts'
import {
  frameOf,
  isSameOrigin,
  parameter,
  refuseWith,
  sendJson,
  sendPage,
  wantsJson,
  type RouteDeps,
} from './inbox-http.ts'
import { decideOnPhone, operatorsPhones, PHONE_DECISIONS, waitingOnPhone, type PhoneDecision } from './phone.ts'
import { transactionPage, type TransactionTimeline } from './transaction-page.ts'

const URL_OF_ONE = '/sandbox/transactions/:reference'
/** More merchants than this share a reference only by intent. */
const SHOWN_MAX = 20
/** Reports are polled this often, and a little more. */
const REPORTED_SECONDS = 1

type TransactionRequest = FastifyRequest<{ Params: { reference: string } }>

const NO_TRANSACTION = {
  status: 404,
  title: 'There is no such transaction',
  why: 'No transaction has this reference',
}

/** The events of a transaction, as `malipo transaction events` prints them, as a page and as JSON, and its phone. */
export function serveTransactions(app: FastifyInstance, deps: RouteDeps): void {
  const show = async (request: TransactionRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const reference = storable(request.params.reference)
    const found = (await findTransactions(deps.pool, reference, undefined)).slice(0, SHOWN_MAX)
    if (found.length === 0) return refuseWith(deps, request, reply, NO_TRANSACTION)
    const open = found.filter(({ status }) => status === 'PROCESSING').map(({ internalReference }) => internalReference)
    const onPhone = open.length === 0 ? new Set<string>() : await waitingOnPhone(deps, open)
    const reported: TransactionTimeline[] = await Promise.all(
      found.map(async (transaction) => ({
        transaction,
        steps: await timelineOf(deps.pool, transaction),
        isOnPhone: onPhone.has(transaction.internalReference),
        ...(await phonesOf(transaction, deps)),
      })),
    )
    if (wantsJson(request)) return sendJson(reply, { transactions: reported.map(toWire) })
    const decided = PHONE_DECISIONS.find((decision) => decision === parameter(request, 'decided'))
    if (decided) reply.header('refresh', `${REPORTED_SECONDS}; url=${transactionUrl(reference)}`)
    return sendPage(reply, transactionPage(frameOf(deps, request, reply), reference, reported, decided))
  }
  app.route({ method: ['GET', 'HEAD'], url: URL_OF_ONE, handler: show })
  deps.allowOnly(app, URL_OF_ONE, ['GET', 'HEAD'])
  for (const decision of PHONE_DECISIONS) serveDecision(app, deps, decision)
}

async function phonesOf({ status, railAccount }: StaffTransaction, { pool }: RouteDeps) {
  const isThere = status === 'PROCESSING' && railAccount !== undefined
  const phonesUrl = isThere ? await operatorsPhones(pool, railAccount) : undefined
  return phonesUrl === undefined ? {} : { phonesUrl }
}

function serveDecision(app: FastifyInstance, deps: RouteDeps, decision: PhoneDecision): void {
  const url = `${URL_OF_ONE}/${decision}`
  app.post(url, async (request: TransactionRequest, reply) => {
    if (!isSameOrigin(request)) return deps.refuse(request, reply, 403, 'Phones answer from their own page only')
    const reference = storable(request.params.reference)
    const transaction = (await findTransactions(deps.pool, reference, undefined)).find(
      ({ internalReference }) => internalReference === reference,
    )
    if (!transaction) return refuseWith(deps, request, reply, NO_TRANSACTION)
    if (!(await decideOnPhone(deps, transaction, decision)))
      return refuseWith(deps, request, reply, {
        status: 409,
        title: 'No phone asks about it',
        why: 'The payment waits for no phone: it has its result, is not sent yet, or is with an operator on the wire',
      })
    if (wantsJson(request)) return sendJson(reply, { internal_reference: reference, decision })
    return reply.redirect(`${transactionUrl(reference)}?decided=${decision}`, 303)
  })
  deps.allowOnly(app, url, ['POST'])
}

const toWire = ({ transaction, steps, isOnPhone }: TransactionTimeline) => ({
  merchant_public_key: transaction.merchantPublicKey,
  merchant_reference: transaction.merchantReference,
  internal_reference: transaction.internalReference,
  transaction_type: transaction.type,
  transaction_status: transaction.status,
  status_message: transaction.statusMessage,
  waits_for_phone: isOnPhone,
  events: steps.map(({ at, kind, detail }) => ({ at: at.toISOString(), kind, detail })),
})
