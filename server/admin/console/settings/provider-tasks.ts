import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { Refused, type ConsoleDeps, type Opened } from '../console-routes.ts'
import type { Field } from '../look/form.ts'
import { button } from '../look/values.ts'
import { basisPoints, filledIn, serveTask, type Task } from '../task.ts'
import { SETTINGS_TEXTS } from './texts.ts'

const PATH = '/settings'

/** The option of the page's address. @throws Refused when there is none */
async function optionOf({ params, show }: Opened) {
  const { items } = await show('listProviders')
  const option = items.find(
    (one) =>
      one.provider_code === params.provider &&
      (params.type === undefined || one.transaction_type === params.type.toUpperCase()),
  )
  if (!option) throw new Refused(404, `there is no payment option ${params.provider ?? ''} ${params.type ?? ''}`.trim())
  return option
}

const finished = (opened: Opened) =>
  opened.done(PATH, opened.viewer.texts(SETTINGS_TEXTS)('providerDone', { provider: opened.params.provider ?? '' }))

/** Limits, charges, numbers and rail accounts of providers, and exchange rates. */
export function serveProviderTasks(app: FastifyInstance, deps: ConsoleDeps): void {
  const shared = { at: 'settings', needs: 'recent' } as const
  serveTask(app, deps, {
    ...shared,
    url: `${PATH}/providers/:provider/numbers`,
    operation: 'setProvider',
    form: numbersForm,
    input: (fields, { params }) => ({
      params: { provider: params.provider ?? '' },
      body: {
        ...filledIn(fields, 'prefix_rule', 'reason'),
        ...(fields.has('prefixes') && {
          prefixes: (fields.get('prefixes') ?? '').split(',').map((prefix) => prefix.trim()),
        }),
        rail_account: fields.get('rail_account')?.trim() ?? '',
      },
    }),
    done: finished,
  })
  serveTask(app, deps, {
    ...shared,
    url: `${PATH}/providers/:provider/:type`,
    operation: 'setProvider',
    form: optionForm,
    input: (fields, { params }) => ({
      params: { provider: params.provider ?? '' },
      body: {
        transaction_type: params.type,
        ...filledIn(fields, 'min_amount', 'max_amount', 'max_daily_amount', 'charge_flat', 'reason'),
        ...basisPoints(fields, 'charge_basis_points'),
        ...basisPoints(fields, 'reserve_basis_points'),
        ...seconds(fields, 'clearing_delay_seconds'),
        ...seconds(fields, 'reserve_seconds'),
        is_active: fields.get('is_active') === 'yes',
        ...(params.type?.toUpperCase() === 'COLLECTION' && { refunds_charge: fields.get('refunds_charge') === 'yes' }),
      },
    }),
    done: finished,
  })
  serveTask(app, deps, { ...shared, url: `${PATH}/rate`, ...RATE })
  serveTask(app, deps, { ...shared, url: `${PATH}/new-provider`, ...NEW_PROVIDER })
}

const NEW_PROVIDER: Omit<Task<'addProvider'>, 'url' | 'at' | 'needs'> = {
  operation: 'addProvider',
  async form({ viewer, show }) {
    const say = viewer.texts(SETTINGS_TEXTS)
    const rails = (await show('listRailAccounts')).items.map(({ name }) => [name, name] as const)
    const percent = (name: string, label: string): Field => ({ name, label, type: 'amount', isOptional: true })
    return {
      title: say('addProvider'),
      back: { href: PATH, text: say('settings') },
      willHappen: say('addWill'),
      fields: [
        { name: 'provider_code', label: say('code'), hint: say('codeHint'), lengthMax: 64 },
        { name: 'name', label: say('name') },
        { name: 'currency', label: say('currency'), lengthMin: 3, lengthMax: 3 },
        { name: 'calling_code', label: say('callingCode'), type: 'number' },
        { name: 'prefixes', label: say('prefixes'), hint: say('prefixesHint') },
        { name: 'COLLECTION', label: say('collections'), type: 'checkbox', isOptional: true },
        { name: 'PAYOUT', label: say('payouts'), type: 'checkbox', isOptional: true },
        { name: 'min_amount', label: say('min'), type: 'amount' },
        { name: 'max_amount', label: say('max'), type: 'amount' },
        { name: 'max_daily_amount', label: say('daily'), type: 'amount' },
        percent('collection_charge_basis_points', say('collectionPercent')),
        percent('payout_charge_basis_points', say('payoutPercent')),
        {
          name: 'rail_account',
          label: say('rail'),
          type: 'select',
          options: [['', say('noRail')], ...rails],
          isOptional: true,
        },
      ],
      values: { COLLECTION: 'yes', PAYOUT: 'yes' },
      asksReason: true,
      submit: say('addProvider'),
    }
  },
  input(fields) {
    const { currency, ...others } = filledIn(
      fields,
      'provider_code',
      'name',
      'currency',
      'calling_code',
      'min_amount',
      'max_amount',
      'max_daily_amount',
      'rail_account',
      'reason',
    )
    return {
      body: {
        ...others,
        currency: currency?.toUpperCase(),
        prefixes: (fields.get('prefixes') ?? '').split(',').map((prefix) => prefix.trim()),
        transaction_types: ['COLLECTION', 'PAYOUT'].filter((type) => fields.get(type) === 'yes'),
        ...basisPoints(fields, 'collection_charge_basis_points'),
        ...basisPoints(fields, 'payout_charge_basis_points'),
      },
    }
  },
  done: (opened, { provider_code: provider = '' }) =>
    opened.done(PATH, opened.viewer.texts(SETTINGS_TEXTS)('added', { provider })),
}

const RATE: Omit<Task<'setRate'>, 'url' | 'at' | 'needs'> = {
  operation: 'setRate',
  async form({ viewer }) {
    const say = viewer.texts(SETTINGS_TEXTS)
    const currency = (name: string, label: string): Field => ({ name, label, lengthMin: 3, lengthMax: 3 })
    return {
      title: say('setRate'),
      back: { href: PATH, text: say('settings') },
      willHappen: say('rateWill'),
      fields: [
        currency('from', say('from')),
        currency('to', say('to')),
        { name: 'rate', label: say('rate'), hint: say('rateHint'), type: 'amount' },
      ],
      asksReason: true,
      submit: say('save'),
    }
  },
  input(fields) {
    const { from, to, ...others } = filledIn(fields, 'from', 'to', 'rate', 'reason')
    return { body: { from: from?.toUpperCase(), to: to?.toUpperCase(), ...others } }
  },
  done: (opened) => opened.done(PATH, opened.viewer.texts(SETTINGS_TEXTS)('rateDone')),
}

function seconds<Name extends string>(fields: URLSearchParams, name: Name) {
  const { [name]: text } = filledIn(fields, name)
  return text === undefined ? {} : { [name]: /^\d{1,9}$/.test(text) ? Number(text) : text }
}

async function optionForm(opened: Opened) {
  const say = opened.viewer.texts(SETTINGS_TEXTS)
  const option = await optionOf(opened)
  const amount = (name: string, label: string): Field => ({ name, label, type: 'amount' })
  const whole = (name: string, label: string): Field => ({ name, label, type: 'number' })
  const numbers = { href: `${PATH}/providers/${option.provider_code}/numbers`, text: say('numbers') }
  const isOfCollections = option.transaction_type === 'COLLECTION'
  return {
    title: say('optionTitle', { provider: option.name, type: option.transaction_type }),
    above: html`<p class="buttons">!${button(numbers)}</p>`,
    back: { href: PATH, text: say('settings') },
    willHappen: say('optionWill'),
    fields: [
      amount('min_amount', say('min')),
      amount('max_amount', say('max')),
      amount('max_daily_amount', say('daily')),
      amount('charge_basis_points', say('percent')),
      amount('charge_flat', say('flat')),
      ...(isOfCollections
        ? [
            whole('clearing_delay_seconds', say('clearingSeconds')),
            amount('reserve_basis_points', say('reserve')),
            whole('reserve_seconds', say('reserveSeconds')),
          ]
        : []),
      { name: 'is_active', label: say('isActive'), type: 'checkbox', isOptional: true } as const,
      ...(isOfCollections
        ? [{ name: 'refunds_charge', label: say('refundsCharge'), type: 'checkbox', isOptional: true } as const]
        : []),
    ],
    values: {
      min_amount: String(option.min_amount),
      max_amount: String(option.max_amount),
      max_daily_amount: String(option.max_daily_amount),
      charge_basis_points: String(option.charge_basis_points / 100),
      charge_flat: String(option.charge_flat),
      clearing_delay_seconds: String(option.clearing_delay_seconds),
      reserve_basis_points: String(option.reserve_basis_points / 100),
      reserve_seconds: String(option.reserve_seconds),
      is_active: option.is_active ? 'yes' : '',
      refunds_charge: option.refunds_charge ? 'yes' : '',
    },
    asksReason: true,
    submit: say('save'),
  }
}

async function numbersForm(opened: Opened) {
  const say = opened.viewer.texts(SETTINGS_TEXTS)
  const option = await optionOf(opened)
  const { prefixes, prefix_rule: rule, rail_account: rail = '' } = option
  return {
    title: say('numbersTitle', { provider: option.name }),
    back: { href: PATH, text: say('settings') },
    willHappen: say('numbersWill'),
    fields: [
      ...(option.transaction_method === 'MOBILE_MONEY'
        ? ([
            { name: 'prefixes', label: say('prefixes'), hint: say('prefixesHint') },
            {
              name: 'prefix_rule',
              label: say('rule'),
              type: 'select',
              options: [
                ['strict', say('strict')],
                ['hint', say('hint')],
              ],
            },
          ] as const)
        : []),
      { name: 'rail_account', label: say('rail'), isOptional: true },
    ],
    values: { prefixes: prefixes?.join(',') ?? '', prefix_rule: rule ?? 'strict', rail_account: rail },
    asksReason: true,
    submit: say('save'),
  }
}
