import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { decidePayout } from '../../actions/decide-approvals.ts'
import { APPROVER_ROLES, DECISION_REFUSALS, type DecisionRefusal } from '../../domain/approvals.ts'
import { holdsSecrets } from '../../domain/masking/mask-text.ts'
import { moneyText } from '../../domain/money.ts'
import type { Actor } from '../../domain/people/actor.ts'
import type { MerchantRole } from '../../domain/people/roles.ts'
import { maskAccount } from '../../domain/phone.ts'
import { auditedStore } from '../../storage/store.ts'
import { findApproval, listApprovals, type ApprovalView } from '../queries/approvals.ts'
import { ActorRefused, applyChange } from '../queries/audit-log.ts'
import type { Person } from '../queries/person.ts'
import { adminPage, alertOf, form, messagePage, time } from './admin-page.ts'
import { adminRoutes, sendPage, type AdminDeps, type Arrival, type SignedVisit } from './admin-routes.ts'

const SHOWN_MAX = 100
const REASON = { min: 3, max: 500 }

/** Somebody of a merchant. */
type MerchantPerson = Person & { readonly merchant_id: bigint }
const isOfMerchant = (person: Person): person is MerchantPerson => person.merchant_id !== null

type MerchantActor = Extract<Actor, { readonly kind: 'merchant' }>

const mayDecide = ({ role }: Person): boolean => APPROVER_ROLES.payouts.some((approver) => approver === role)

const actorOf = ({ session, address }: SignedVisit, { merchant_id: merchantId }: MerchantPerson): MerchantActor => {
  const { id: personId, name, role } = session.person
  return { kind: 'merchant', personId, merchantId, name, role: role as MerchantRole, address }
}

/** A payout that was archived shows no order: it was decided long ago. */
const orderOf = ({ payout }: ApprovalView): string =>
  payout ? `${moneyText(payout.amount)} to ${payout.customerName ?? maskAccount(payout.account)}` : 'An old payout'

const listPage = (visit: SignedVisit, found: readonly ApprovalView[]) =>
  adminPage(visit, {
    title: 'Approvals',
    content: html`<section class="card"><h1>Payouts that wait for approval</h1>
!${found.length === 0 ? '<p>None waits. A payout waits here when it is as large as your rule says, for 24 hours.</p>' : ''}
<ul class="rows">!${found
      .map(
        (view) => html`<li><div>${orderOf(view)}
<small>${view.payout?.merchantReference ?? ''}, until !${time(view.approval.expiresAt)}</small></div>
<a href="/approvals/${String(view.approval.id)}">Look at it</a></li>`,
      )
      .join('')}</ul>!${found.length === SHOWN_MAX ? `<p class="soft">The newest ${SHOWN_MAX}.</p>` : ''}</section>`,
  })

interface Typed {
  readonly reason: string
  readonly alert: string
}

const field = (name: string, value: string): string => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`

const decisionForm = (visit: SignedVisit, { approval: { id, digest } }: ApprovalView, typed: Typed | undefined) =>
  form(
    visit,
    `/approvals/${id}`,
    html`<input type="hidden" name="digest" value="${digest}">
<label for="reason">Why, for the audit log</label>
<input id="reason" name="reason" required minlength="!${REASON.min}" maxlength="!${REASON.max}" value="${typed?.reason ?? ''}">
<button class="primary" name="state" value="approved">Approve: the payout goes out</button>
<button class="second" name="state" value="refused">Refuse: the payout fails</button>`,
  )

const whatToDo = (visit: SignedVisit, view: ApprovalView, typed: Typed | undefined): string => {
  const { person } = visit.session
  return mayDecide(person)
    ? decisionForm(visit, view, typed)
    : html`<p>Only the roles ${APPROVER_ROLES.payouts.join(' and ')} decide, and yours is ${person.role}.</p>`
}

const requestPage = (visit: SignedVisit, view: ApprovalView, typed?: Typed) => {
  const { approval, payout } = view
  const waits = approval.state === 'waiting' && visit.now < approval.expiresAt
  return adminPage(visit, {
    title: 'Approval',
    content: html`<section class="card"><h1>${orderOf(view)}</h1>!${alertOf(typed?.alert)}
<table class="facts">!${
      payout
        ? field('Reference', payout.merchantReference) +
          field('Provider', payout.providerCode) +
          field('Account', maskAccount(payout.account)) +
          field('With charge', moneyText(payout.total))
        : ''
    }!${field('Asked for by', approval.maker.name)}
<tr><th scope="row">Waits until</th><td>!${time(approval.expiresAt)}</td></tr></table>
!${waits ? whatToDo(visit, view, typed) : html`<p>It no longer waits: ${approval.state === 'waiting' ? 'expired' : approval.state}.</p>`}</section>`,
  })
}

/** Why a reason cannot be stored for good. */
function reasonFault(reason: string): string | undefined {
  if (reason.length < REASON.min || reason.length > REASON.max || /[\p{Cc}\p{Cf}]/u.test(reason))
    return `Give a reason of ${REASON.min} to ${REASON.max} characters, on one line.`
  return holdsSecrets(reason) ? 'A reason is stored for good: it must hold no password and no phone number.' : undefined
}

const notHere = ({ visit, reply }: Arrival<SignedVisit>) =>
  sendPage(
    reply.code(404),
    messagePage(visit, {
      title: 'Nothing is here',
      text: isOfMerchant(visit.session.person)
        ? 'There is no such request of your merchant.'
        : 'Payouts are approved by people of their merchant. What waits for staff is on the command line.',
      next: { href: '/', text: 'Go to the first page' },
    }),
  )

/** Undefined for staff, and for requests of others. */
async function requested(
  { pool }: AdminDeps,
  { visit, request }: Arrival<SignedVisit>,
): Promise<{ readonly person: MerchantPerson; readonly view: ApprovalView } | undefined> {
  const { person } = visit.session
  const { id } = request.params as { readonly id: string }
  if (!isOfMerchant(person) || !/^\d{1,18}$/.test(id)) return undefined
  const view = await findApproval(pool, BigInt(id), { ofMerchant: person.merchant_id })
  return view && { person, view }
}

/** Decides in one commit with the audit entry. @returns why nothing was decided, for people */
async function decideAs(
  { pool, decide, clock }: AdminDeps,
  who: { readonly actor: MerchantActor; readonly reason: string; readonly requestId: string },
  { approval, payout }: ApprovalView,
  { state, digestSeen }: { readonly state: 'approved' | 'refused'; readonly digestSeen: string },
): Promise<string | undefined> {
  const { id, transactionId } = approval
  const { personId, name, merchantId } = who.actor
  if (transactionId === undefined || !payout) return DECISION_REFUSALS.decided
  const command = state === 'approved' ? 'approval approve' : 'approval refuse'
  try {
    await applyChange(
      pool,
      { ...who, command, subject: payout.internalReference, merchantId },
      {
        read: async () => ({}),
        async apply(audited) {
          const decision = { transactionId, state, by: { name, personId }, digestSeen }
          const refusal = await decidePayout({ ...decide, store: auditedStore(audited) }, decision)
          if (refusal) throw new Undecided(refusal)
        },
        done: { request: String(id), state },
      },
      clock.now(),
    )
  } catch (error) {
    if (error instanceof Undecided) return `Nothing was decided: ${DECISION_REFUSALS[error.refusal]}.`
    if (error instanceof ActorRefused) return error.message
    throw error
  }
  return undefined
}

/** The payouts of their merchant that wait for a second person, for its people. */
export function serveApprovals(app: FastifyInstance, deps: AdminDeps): void {
  const { page, form: post } = adminRoutes(app, deps)
  const { pool } = deps

  page({
    url: '/approvals',
    needs: 'session',
    async handle(arrival) {
      const { person } = arrival.visit.session
      if (!isOfMerchant(person)) return notHere(arrival)
      const found = await listApprovals(pool, { ofMerchant: person.merchant_id, all: false, limit: SHOWN_MAX })
      return sendPage(arrival.reply, listPage(arrival.visit, found))
    },
  })
  page({
    url: '/approvals/:id',
    // Asked for before the form is filled in: nothing typed is lost.
    needs: 'recent',
    async handle(arrival) {
      const found = await requested(deps, arrival)
      return found ? sendPage(arrival.reply, requestPage(arrival.visit, found.view)) : notHere(arrival)
    },
  })
  post({
    url: '/approvals/:id',
    needs: 'recent',
    async handle(arrival, fields) {
      const { visit, reply, request } = arrival
      const found = await requested(deps, arrival)
      const state = fields.get('state')
      if (!found?.view.payout || (state !== 'approved' && state !== 'refused')) return notHere(arrival)
      const { person, view } = found
      const reason = (fields.get('reason') ?? '').trim().normalize('NFC')
      const again = (alert: string) => sendPage(reply.code(400), requestPage(visit, view, { reason, alert }))
      const fault = reasonFault(reason)
      if (fault !== undefined) return again(fault)
      const refusal = await decideAs(deps, { actor: actorOf(visit, person), reason, requestId: request.id }, view, {
        state,
        digestSeen: fields.get('digest') ?? '',
      })
      return refusal === undefined ? reply.redirect('/approvals', 303) : again(refusal)
    },
  })
}

/** Rolls the change back. */
class Undecided extends Error {
  readonly refusal: DecisionRefusal
  constructor(refusal: DecisionRefusal) {
    super(refusal)
    this.refusal = refusal
  }
}
