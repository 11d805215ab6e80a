import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { APPROVAL_OPERATIONS } from '../../../domain/approvals.ts'
import { moneyFromWire } from '../../../domain/money.ts'
import type { AdminData } from '../../api/handler.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { formErrors, typed } from '../form-errors.ts'
import { actionForm, type Field } from '../look/form.ts'
import { table, type Column } from '../look/table.ts'
import { button, emptyState, money, section } from '../look/values.ts'
import { TEXTS } from './texts.ts'

type Rule = AdminData<'listApprovalRules'>['items'][number]

type Kind = 'set' | 'remove'
type Values = Readonly<Record<string, string>>

const NAMES = ['operation', 'merchant', 'currency', 'from_amount', 'reason'] as const

function fieldsOf({ viewer }: Opened): readonly Field[] {
  const say = viewer.texts(TEXTS)
  const operations = APPROVAL_OPERATIONS.map((name) => [name, name] as const)
  return [
    { name: 'operation', label: say('operation'), type: 'select', options: operations },
    { name: 'merchant', label: say('merchant'), hint: say('merchantHint'), isOptional: true },
    { name: 'currency', label: say('currency'), hint: say('currencyHint'), isOptional: true, lengthMax: 3 },
    { name: 'from_amount', label: say('fromAmount'), type: 'amount', isOptional: true },
  ]
}

/** The form of a new rule, or of the removal of one that the address names. */
function formPage(opened: Opened, kind: Kind, values: Values, fault?: string) {
  const { viewer, formToken, idempotencyKey } = opened
  const say = viewer.texts(TEXTS)
  const isSet = kind === 'set'
  const { reason: _reason, ...place } = values
  const title = say(isSet ? 'newRule' : 'removeRule')
  const form = actionForm(viewer, {
    action: `/approvals/rules/${kind}`,
    formToken,
    idempotencyKey,
    ...(isSet ? { fields: fieldsOf(opened) } : { hidden: place }),
    asksReason: true,
    isDangerous: !isSet,
    willHappen: say(isSet ? 'willRule' : 'willRemove'),
    submit: say(isSet ? 'setRule' : 'removeRule'),
    cancel: '/approvals/rules',
    values,
    ...(fault !== undefined && { errors: formErrors(fault, isSet ? NAMES : ['reason']) }),
  })
  return {
    title,
    back: { href: '/approvals/rules', text: say('rules') },
    content: section(isSet ? undefined : Object.values(place).join(', '), form),
  }
}

/** Names one rule in an address. */
const placeOf = ({ operation, merchant_id: merchant, currency }: Rule): string =>
  new URLSearchParams(
    Object.entries({ operation, merchant, currency }).filter((one): one is [string, string] => one[1] !== undefined),
  ).toString()

async function rulesPage({ viewer, show, may }: Opened) {
  const say = viewer.texts(TEXTS)
  const { items } = await show('listApprovalRules')
  const amountOf = ({ currency, from_amount: from }: Rule): string =>
    currency === undefined || from === undefined
      ? html`${say('anyAmount')}`
      : html`<span>${say('fromAmount')} !${money(viewer, moneyFromWire(from, currency))}</span>`
  const mayChange = may('approval rules set')
  const columns: readonly Column<Rule>[] = [
    { title: say('ruleOf'), cell: ({ operation }) => html`${operation}` },
    { title: say('merchant'), cell: (one) => html`${one.merchant_id ?? say('anyMerchant')}` },
    { title: say('amount'), cell: amountOf },
    { title: say('approvers'), cell: ({ approvers }) => html`${approvers.join(', ')}` },
  ]
  const removal: Column<Rule> = {
    title: say('change'),
    cell: (rule) => html`<a href="/approvals/rules/remove?${placeOf(rule)}">${say('removeRule')}</a>`,
  }
  const list = table({ caption: say('rules'), columns: mayChange ? [...columns, removal] : columns, rows: items })
  return {
    title: say('rules'),
    back: { href: '/approvals', text: viewer.say('approvals') },
    aside: mayChange ? button({ href: '/approvals/rules/set', text: say('newRule') }, 'primary') : '',
    content: items.length === 0 ? emptyState({ title: say('noRules'), text: say('noRulesText') }) : list,
  }
}

/** The four-eyes rules, for staff. */
export function serveApprovalRules(app: FastifyInstance, deps: ConsoleDeps): void {
  const { page, form } = consoleRoutes(app, deps)
  page({ url: '/approvals/rules', at: 'approvals', handle: rulesPage })
  for (const kind of ['set', 'remove'] as const) {
    const route = { url: `/approvals/rules/${kind}`, at: 'approvals', needs: 'recent' } as const
    page({
      ...route,
      async handle(opened) {
        const { operation, merchant, currency } = typed(opened.query)
        const place = { operation, merchant, currency }
        return formPage(opened, kind, Object.fromEntries(Object.entries(place).filter(([, value]) => value)) as Values)
      },
    })
    form({
      ...route,
      async handle(opened, fields) {
        const { viewer, change, done, idempotencyKey: key } = opened
        const say = viewer.texts(TEXTS)
        const { operation, merchant, currency, from_amount, reason } = typed(fields)
        const place = { operation, merchant, currency: currency?.toUpperCase(), reason }
        const made =
          kind === 'set'
            ? await change('setApprovalRule', { body: { ...place, from_amount }, key })
            : await change('removeApprovalRule', { body: place, key })
        if (made.ok === false) {
          const values = typed(fields)
          const known = NAMES.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]]))
          return formPage(opened, kind, Object.fromEntries(known) as Values, made.message)
        }
        const text =
          made.ok === 'waits' ? say('waits', { id: made.approvalId }) : say(kind === 'set' ? 'ruleSet' : 'ruleRemoved')
        return done('/approvals/rules', text)
      },
    })
  }
}
