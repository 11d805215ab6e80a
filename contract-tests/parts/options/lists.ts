import { reported } from '../../driver/api-replies.ts'
import { TYPES, type Option } from './listed-options.ts'
import { getAs } from '../../driver/merchant.ts'
import { itemsOf } from '../../driver/requests.ts'
import type { PageProvider, SandboxPage } from './page.ts'
import { forEachOf, textOf, type OptionsFixture } from './fixture.ts'

export interface Bank {
  readonly provider: string
  readonly code: string
  readonly name: string
  readonly isActive: boolean
}

/** A list must be consistent in itself, and agree with the docs of the sandbox. */
export function judgeLists(fixture: OptionsFixture, options: readonly Option[], page: SandboxPage | undefined): void {
  const about = 'listPaymentProviders'
  for (const option of options) {
    const { code, type, item, method, prefixes, answer } = option
    const { minMinor, maxMinor, dailyMinor } = option.listed
    const subject = `${code} ${type}`
    const isPossible = 0n < minMinor && minMinor <= maxMinor && maxMinor <= dailyMinor
    const reported = `${code} is listed with limits of ${String(item['min_amount'])} to ${String(item['max_amount'])} and ${String(item['max_daily_amount'])} a day ${option.currency}, within which nothing can be paid exactly`
    fixture.hold(about, 'possible limits', !isPossible && reported, subject, [answer])
    const hasPrefixes =
      method === 'MOBILE_MONEY'
        ? prefixes.length > 0 && new Set(prefixes).size === prefixes.length
        : item['option_prefixes'] === undefined
    fixture.hold(
      about,
      'prefixes',
      !hasPrefixes && `${code} (${method}) is listed with the prefixes ${prefixes.join(' ') || 'none'}`,
      subject,
      [answer],
    )
  }
  if (!page) return
  for (const provider of page.providers) for (const type of TYPES) documented(fixture, options, provider, type)
  for (const { code, type, answer } of options) {
    const isKnown = page.providers.some((provider) => provider.code === code)
    fixture.hold(
      about,
      'more than the docs',
      !isKnown && `${code} is listed, and the docs of the sandbox do not know it`,
      `${code} ${type}`,
      [answer],
    )
  }
}

function documented(
  fixture: OptionsFixture,
  options: readonly Option[],
  provider: PageProvider,
  type: Option['type'],
): void {
  const { code, currency } = provider
  const option = options.find((each) => each.code === code && each.type === type)
  const about = 'listPaymentProviders'
  const subject = `${code} ${type}`
  if (!option)
    return fixture.hold(
      about,
      `missing ${type}`,
      `${code} is not listed for ${type} in ${currency}; the docs of the sandbox say that it is there`,
      subject,
    )
  const request = [option.answer]
  const compare = (what: string, listed: string | bigint, wanted: string | bigint) =>
    fixture.hold(
      about,
      what,
      listed !== wanted && `${what} of ${code} is ${listed}, in the docs of the sandbox ${wanted}`,
      subject,
      request,
    )
  compare('the name', option.name, provider.name)
  compare('the method', option.method, provider.method)
  compare('the currency', option.currency, currency)
  compare('the smallest amount (in minor units)', option.listed.minMinor, provider.minMinor)
  compare('the largest amount (in minor units)', option.listed.maxMinor, provider.maxMinor)
  compare('the daily limit (in minor units)', option.listed.dailyMinor, provider.dailyMinor)
  compare('the list of prefixes', option.prefixes.toSorted().join(' '), provider.prefixes.toSorted().join(' '))
}

/** The banks of each provider, each once, and exactly those of the docs; a mobile money provider has none. */
export async function listedBanks(
  fixture: OptionsFixture,
  options: readonly Option[],
  page: SandboxPage | undefined,
): Promise<readonly Bank[]> {
  const providers = [...new Map(options.map(({ code, method }) => [code, method]))]
  const lists = await forEachOf(providers, ([code, method]) => banksOf(fixture, code, method, page))
  return lists.flat()
}

async function banksOf(
  fixture: OptionsFixture,
  provider: string,
  method: Option['method'],
  page: SandboxPage | undefined,
): Promise<readonly Bank[]> {
  const about = 'listPayoutBanks'
  const answer = await getAs(fixture.merchant, `/data/payout-bank-codes?provider_code=${provider}`)
  const hold = (rule: string, fault: string | false) => fixture.hold(about, rule, fault, provider, [answer])
  hold('answered', answer.status !== 200 && `the banks of ${provider} were answered ${reported(answer)}, not 200`)
  const banks = itemsOf(answer.data, 'payout_banks').map((item): Bank => ({
    provider,
    code: textOf(item, 'bank_code'),
    name: textOf(item, 'bank_name'),
    isActive: item['is_active'] === true,
  }))
  const codes = banks.map(({ code }) => code)
  const twice = codes.find((code, index) => codes.indexOf(code) !== index)
  hold('unique banks', twice !== undefined && `the bank ${twice} of ${provider} is listed twice`)
  if (method === 'MOBILE_MONEY')
    hold(
      'banks of mobile money',
      banks.length > 0 && `${provider} moves mobile money, and banks are listed for it: ${codes.join(' ')}`,
    )
  if (!page) return banks
  const known = page.banks.filter((bank) => bank.provider === provider)
  const missing = known.filter(({ code }) => !codes.includes(code)).map(({ code }) => code)
  hold(
    'missing banks',
    missing.length > 0 && `banks of ${provider} are not listed and in the docs of the sandbox: ${missing.join(' ')}`,
  )
  const more = codes.filter((code) => !known.some((bank) => bank.code === code))
  hold(
    'more banks',
    method === 'BANK' &&
      more.length > 0 &&
      `banks of ${provider} are listed and not in the docs of the sandbox: ${more.join(' ')}`,
  )
  const renamed = banks.find(({ code, name }) => known.some((bank) => bank.code === code && bank.name !== name))
  hold(
    'names of banks',
    renamed !== undefined &&
      `the bank ${renamed.code} is listed as ${renamed.name}, in the docs of the sandbox it has another name`,
  )
  return banks
}
