import type { FastifyInstance } from 'fastify'
import { LOGO_BYTES_MAX } from '../../../domain/logo.ts'
import type { ConsoleDeps, Opened } from '../console-routes.ts'
import { brandPreview } from '../look/brand.ts'
import type { Field } from '../look/form.ts'
import { basisPoints, FieldFault, filledIn, serveTask, type Task } from '../task.ts'
import { finished, ofMerchant, subjectOf } from './subject.ts'
import { MERCHANT_TEXTS } from './texts.ts'
import { urlFields, urlsOf, urlValues } from './url-fields.ts'

/** Tasks of staff and of people of merchants: URLs and brand. */
export function serveOwnTasks(app: FastifyInstance, deps: ConsoleDeps): void {
  const isStaff = deps.audience === 'staff'
  const [base, at] = isStaff ? (['/merchants/:merchant', 'merchants'] as const) : (['/settings', 'settings'] as const)
  serveTask(app, deps, {
    url: `${base}/urls`,
    at,
    needs: 'recent',
    operation: 'changeMerchant',
    async form(opened) {
      const { say, merchant, name, back } = await subjectOf(opened)
      return {
        title: say('urlsTitle', { name }),
        back,
        willHappen: say('urlsWill'),
        fields: urlFields(say),
        values: urlValues(merchant),
        asksReason: true,
        submit: say('save'),
      }
    },
    async input(fields, opened) {
      const { merchant } = await subjectOf(opened)
      return { ...ofMerchant(opened), body: { ...urlsOf(fields, merchant), reason: fields.get('reason') ?? '' } }
    },
    done: (opened) => finished(opened, 'urlsDone'),
  })
  serveTask(app, deps, { url: `${base}/brand`, at, ...BRAND })
  serveTask(app, deps, { url: `${base}/retries`, at, ...RETRIES })
}

/** Whether customers may try again on the payment page. */
const RETRIES: Omit<Task<'changeMerchant'>, 'url' | 'at'> = {
  needs: 'session',
  operation: 'changeMerchant',
  async form(opened) {
    const { say, merchant, name, back } = await subjectOf(opened)
    return {
      title: say('retriesTitle', { name }),
      back,
      willHappen: say('retriesWill'),
      fields: [{ name: 'page_retries', label: say('retriesOffered'), type: 'checkbox', isOptional: true }],
      values: merchant.page_retries ? { page_retries: 'yes' } : {},
      asksReason: true,
      submit: say('save'),
    }
  },
  input: (fields, opened) => ({
    ...ofMerchant(opened),
    body: { page_retries: fields.get('page_retries') === 'yes', reason: fields.get('reason') ?? '' },
  }),
  done: (opened) => finished(opened, 'retriesDone'),
}

/** What customers see of a merchant. */
const BRAND: Omit<Task<'brandMerchant'>, 'url' | 'at'> = {
  needs: 'session',
  operation: 'brandMerchant',
  async form(opened) {
    const { say, merchant, name, back } = await subjectOf(opened)
    const { brand_colour: colour = '', support_contact: contact, logo_digest: logo } = merchant
    return {
      title: say('brandTitle', { name }),
      back,
      above: brandPreview(opened.viewer, merchant),
      willHappen: say('brandWill'),
      fields: [
        { name: 'colour', label: say('colour'), hint: say('colourHint'), isOptional: true },
        {
          name: 'support_contact',
          label: say('contact'),
          hint: say('contactHint'),
          isOptional: true,
          lengthMax: 120,
        },
        {
          name: 'logo',
          label: say('logo'),
          hint: say('logoHint'),
          type: 'file',
          accept: 'image/png,image/jpeg,image/webp',
          isOptional: true,
        },
        ...(logo === undefined
          ? []
          : [{ name: 'remove_logo', label: say('removeLogo'), type: 'checkbox' as const, isOptional: true }]),
      ],
      values: { colour, support_contact: contact?.replace(/^(tel|mailto):/, '') ?? '' },
      submit: say('save'),
    }
  },
  input(fields, opened) {
    const logo = fields.get('logo') ?? ''
    if (logo.length > LOGO_BYTES_MAX * (4 / 3) + 4)
      throw new FieldFault('logo', opened.viewer.texts(MERCHANT_TEXTS)('logoTooLarge'))
    const keepsLogo = logo === '' && fields.get('remove_logo') !== 'yes'
    const [colour, contact] = [fields.get('colour') ?? '', fields.get('support_contact') ?? '']
    const body = { colour: colour.trim(), support_contact: contact.trim(), ...(!keepsLogo && { logo }) }
    return { ...ofMerchant(opened), body }
  },
  done: (opened) => finished(opened, 'brandDone'),
}

const shared = { at: 'merchants', needs: 'recent' } as const
const url = (path: string): string => `/merchants/:merchant/${path}`

/** Tasks of staff about one merchant. */
export function serveMerchantTasks(app: FastifyInstance, deps: ConsoleDeps): void {
  serveMoney(app, deps)
  serveTerms(app, deps)
  serveTask(app, deps, { ...shared, url: url('settings'), operation: 'changeMerchant', ...settings })
  for (const what of ['suspend', 'resume'] as const)
    serveTask(app, deps, {
      ...shared,
      url: url(what),
      operation: what === 'suspend' ? 'suspendMerchant' : 'resumeMerchant',
      async form(opened) {
        const { say, name, back } = await subjectOf(opened)
        return {
          title: say(`${what}Title`, { name }),
          back,
          willHappen: say(`${what}Will`),
          asksReason: true,
          isDangerous: what === 'suspend',
          submit: say(what),
        }
      },
      input: (fields, opened) => ({ ...ofMerchant(opened), body: { reason: fields.get('reason') ?? '' } }),
      done: (opened) => finished(opened, `${what}Done`, opened.params.merchant),
    })
}

function serveMoney(app: FastifyInstance, deps: ConsoleDeps): void {
  serveTask(app, deps, {
    ...shared,
    url: url('deposit'),
    operation: 'depositToWallet',
    form: (opened) => moneyForm(opened, 'deposit'),
    input: (fields, opened) => ({
      ...ofMerchant(opened),
      body: filledIn(fields, 'currency', 'amount', 'reference', 'reason'),
    }),
    done: (opened) => finished(opened, 'depositDone'),
  })
  serveTask(app, deps, {
    ...shared,
    url: url('transfer'),
    operation: 'transferBetweenWallets',
    form: (opened) => moneyForm(opened, 'transfer'),
    input: (fields, opened) => ({
      ...ofMerchant(opened),
      body: filledIn(fields, 'currency', 'amount', 'from', 'to', 'reference', 'reason'),
    }),
    done: (opened) => finished(opened, 'transferDone'),
  })
}

function serveTerms(app: FastifyInstance, deps: ConsoleDeps): void {
  serveTask(app, deps, {
    ...shared,
    url: url('limits'),
    operation: 'setLimits',
    form: (opened) => termsForm(opened, 'limits'),
    input: (fields, opened) => ({
      ...ofMerchant(opened),
      body: { ...optionIn(fields), ...filledIn(fields, 'min_amount', 'max_amount', 'max_daily_amount', 'reason') },
    }),
    done: (opened) => finished(opened, 'limitsDone'),
  })
  serveTask(app, deps, {
    ...shared,
    url: url('charges'),
    operation: 'setCharges',
    form: (opened) => termsForm(opened, 'charges'),
    input: (fields, opened) => ({
      ...ofMerchant(opened),
      body: {
        ...optionIn(fields),
        ...filledIn(fields, 'charge_flat', 'reason'),
        ...basisPoints(fields, 'charge_basis_points'),
      },
    }),
    done: (opened) => finished(opened, 'chargesDone'),
  })
  for (const [what, operation] of [
    ['limits', 'removeLimits'],
    ['charges', 'removeCharges'],
  ] as const)
    serveTask(app, deps, {
      ...shared,
      url: url(`${what}/remove`),
      operation,
      form: (opened) => termsForm(opened, `${what}/remove`),
      input: (fields, opened) => ({
        ...ofMerchant(opened),
        body: { ...optionIn(fields), ...filledIn(fields, 'reason') },
      }),
      done: (opened) => finished(opened, 'removeDone'),
    })
}

async function moneyForm(opened: Opened, what: 'deposit' | 'transfer') {
  const { say, name, back } = await subjectOf(opened)
  const { wallets } = await opened.show('showWallets', ofMerchant(opened))
  const currencies = [...new Set(wallets.map(({ currency }) => currency))]
  const purposes = [
    ['collection', say('MERCHANT_COLLECTION')],
    ['payout', say('MERCHANT_PAYOUT')],
  ] as const
  const both: readonly Field[] = [
    { name: 'from', label: say('from'), type: 'select', options: purposes },
    { name: 'to', label: say('to'), type: 'select', options: purposes },
  ]
  const fields: readonly Field[] = [
    { name: 'currency', label: say('currency'), type: 'select', options: currencies.map((code) => [code, code]) },
    { name: 'amount', label: say('amount'), type: 'amount', hint: say('amountHint'), lengthMax: 20 },
    ...(what === 'transfer' ? both : []),
    { name: 'reference', label: say('reference'), hint: say('bankReference'), lengthMax: 100, autocomplete: 'off' },
  ]
  return {
    title: say(`${what}Title`, { name }),
    back,
    willHappen: say(`${what}Will`),
    fields,
    values: { to: 'payout' },
    asksReason: true,
    submit: say(what),
  }
}

/** `mtn_ug:PAYOUT` of a select, in the names of the contract. */
function optionIn(fields: URLSearchParams) {
  const [provider_code = '', transaction_type = ''] = (fields.get('option') ?? '').split(':', 2)
  return { provider_code, transaction_type }
}

type TermsTask = 'limits' | 'charges' | 'limits/remove' | 'charges/remove'

async function termsForm(opened: Opened, what: TermsTask) {
  const { say, merchant, name, back } = await subjectOf(opened)
  const removes = what.endsWith('/remove')
  const options = removes ? (await opened.show('listTerms', ofMerchant(opened))).items : merchant.options
  const names = options.map(({ provider_code, transaction_type }) => `${provider_code}:${transaction_type}`)
  const option: Field = {
    name: 'option',
    label: say('option'),
    type: 'select',
    options: names.map((code) => [code, code.replace(':', ' ')]),
  }
  const amount = (field: string, label: string, hint?: string): Field => ({
    name: field,
    label,
    hint,
    type: 'amount',
    isOptional: true,
  })
  const own: Readonly<Record<string, readonly Field[]>> = {
    limits: [
      amount('min_amount', say('min'), say('limitsHint')),
      amount('max_amount', say('max')),
      amount('max_daily_amount', say('daily')),
    ],
    charges: [amount('charge_basis_points', say('charge'), say('percentHint')), amount('charge_flat', say('flat'))],
  }
  const kind = what.startsWith('limits') ? 'limits' : 'charges'
  return {
    title: say(removes ? 'removeTitle' : `${kind}Title`, { name }),
    back,
    willHappen: say(removes ? 'removeWill' : `${kind}Will`),
    fields: [option, ...(own[what] ?? [])],
    asksReason: true,
    isDangerous: removes,
    submit: say(removes ? 'remove' : 'save'),
  }
}

/** The name of a merchant, and which options it may use: a box for each. */
const settings = {
  async form(opened: Opened) {
    const { say, merchant, name, back } = await subjectOf(opened)
    const { items } = await opened.show('listProviders')
    return {
      title: say('settingsTitle', { name }),
      back,
      willHappen: say('settingsWill'),
      fields: [
        { name: 'name', label: say('name'), lengthMax: 100 },
        ...items.map(codeOf).map((code) => ({
          name: code,
          label: code.replace(':', ' '),
          type: 'checkbox' as const,
          isOptional: true,
        })),
      ],
      values: { name, ...Object.fromEntries(merchant.options.map((option) => [codeOf(option), 'yes'])) },
      asksReason: true,
      submit: say('save'),
    }
  },
  async input(fields: URLSearchParams, opened: Opened) {
    const { merchant, name } = await subjectOf(opened)
    const { items } = await opened.show('listProviders')
    const allowed = new Set(merchant.options.map(codeOf))
    const differs = (isWanted: boolean) =>
      items
        .filter(
          (option) => (fields.get(codeOf(option)) === 'yes') === isWanted && allowed.has(codeOf(option)) !== isWanted,
        )
        .map(({ provider_code, transaction_type }) => ({ provider_code, transaction_type }))
    const { name: typed } = filledIn(fields, 'name')
    const body = {
      ...(typed !== name && { name: typed }),
      enable: differs(true),
      disable: differs(false),
      reason: fields.get('reason') ?? '',
    }
    return { ...ofMerchant(opened), body }
  },
  done: (opened: Opened) => finished(opened, 'settingsDone'),
}

const codeOf = (option: { readonly provider_code: string; readonly transaction_type: string }): string =>
  `${option.provider_code}:${option.transaction_type}`
