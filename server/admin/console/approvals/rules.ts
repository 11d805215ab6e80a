import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { APPROVAL_OPERATIONS } from '../../../domain/approvals.ts'
import { moneyFromWire } from '../../../domain/money.ts'
import type { AdminData } from '../../api/handler.ts'
import { queryOf } from '../amounts.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import type { Field } from '../look/form.ts'
import { table, type Column } from '../look/table.ts'
import { button, emptyState, money } from '../look/values.ts'
import { filledIn, serveTask, type Task } from '../task.ts'
import { TEXTS } from './texts.ts'

type Rule = AdminData<'listApprovalRules'>['items'][number]

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
const taskOf = (kind: 'set' | 'remove'): Task<'setApprovalRule' | 'removeApprovalRule'> => ({
  url: `/approvals/rules/${kind}`,
  at: 'approvals',
  needs: 'recent',
  operation: kind === 'set' ? 'setApprovalRule' : 'removeApprovalRule',
  async form(opened, fields) {
    const say = opened.viewer.texts(TEXTS)
    const place = queryOf(fields, ['operation', 'merchant', 'currency'])
    const shared = { back: { href: '/approvals/rules', text: say('rules') }, asksReason: true }
    if (kind === 'set')
      return {
        ...shared,
        title: say('newRule'),
        fields: fieldsOf(opened),
        values: place,
        willHappen: say('willRule'),
        submit: say('setRule'),
      }
    return {
      ...shared,
      title: say('removeRule'),
      subtitle: Object.values(place).join(', '),
      hidden: place,
      isDangerous: true,
      willHappen: say('willRemove'),
      submit: say('removeRule'),
    }
  },
  input(fields) {
    const { currency, ...rule } = filledIn(fields, 'operation', 'merchant', 'currency', 'from_amount', 'reason')
    return { body: { ...rule, currency: currency?.toUpperCase() } }
  },
  done: ({ viewer, done }) => done('/approvals/rules', viewer.texts(TEXTS)(kind === 'set' ? 'ruleSet' : 'ruleRemoved')),
  waits: ({ viewer, done }, id) => done('/approvals/rules', viewer.texts(TEXTS)('waits', { id })),
})

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
  consoleRoutes(app, deps).page({ url: '/approvals/rules', at: 'approvals', handle: rulesPage })
  for (const kind of ['set', 'remove'] as const) serveTask(app, deps, taskOf(kind))
}
