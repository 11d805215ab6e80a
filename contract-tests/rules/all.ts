import { batchesRule } from './batches.ts'
import { cachingRule } from './caching.ts'
import { cookiesRule } from './cookies.ts'
import { credentialsRule } from './credentials.ts'
import { crossOriginRule } from './cross-origin.ts'
import { datesRule } from './dates.ts'
import { declaredHeadersRule } from './declared-headers.ts'
import { declaredMessagesRule } from './declared-messages.ts'
import { handshakesRule } from './handshakes.ts'
import { quotasRule } from './quotas.ts'
import { randomReferencesRule } from './ids/random-references.ts'
import { uniqueIdsRule } from './ids/unique-ids.ts'
import { listedProvidersRule } from './listed-providers.ts'
import { messagesRule } from './messages.ts'
import { pageHeadersRule } from './page-headers.ts'
import { pageRedirectsRule } from './page-redirects.ts'
import { requestedItemsRule } from './lists/requested-items.ts'
import { steadyListsRule } from './lists/steady-lists.ts'
import { balancesRule } from './money/balances.ts'
import { chargesRule } from './money/charges.ts'
import { conversionRule } from './money/conversion.ts'
import { walletSumsRule } from './money/wallet-sums.ts'
import { passwordsRule } from './passwords.ts'
import { paymentUrlsRule } from './payment-urls.ts'
import { constantFieldsRule } from './payments/constant-fields.ts'
import { eventsRule } from './payments/events.ts'
import { finalRecordsRule } from './payments/final-records.ts'
import { listedCurrencyRule } from './payments/listed-currency.ts'
import { pageAmountsRule } from './payments/page-amounts.ts'
import { pageOutcomesRule } from './payments/page-outcomes.ts'
import { pageTriesRule } from './payments/page-tries.ts'
import { statesRule } from './payments/states.ts'
import { totalsRule } from './payments/totals.ts'
import { typedAccountsRule } from './payments/typed-accounts.ts'
import { redirectsRule } from './redirects.ts'
import { refundsRule } from './refunds.ts'
import { replaysRule } from './replays.ts'
import { replyHeadersRule } from './reply-headers.ts'
import { requestIdsRule } from './request-ids.ts'
import { rsaKeysRule } from './rsa-keys.ts'
import type { Rule } from './rule.ts'
import { rsaSignaturesRule } from './rsa-signatures.ts'
import { sandboxOutcomesRule } from './sandbox-outcomes.ts'
import { secretsRule } from './secrets.ts'
import type { Secret } from './secrets/known-secrets.ts'
import { secretJudge } from './secrets/secret-judge.ts'
import { signaturesRule } from './signatures.ts'
import { statusMessagesRule } from './status-words.ts'
import { webhookIdsRule } from './webhook-ids.ts'

/** Every rule over the recorded traffic of a server of our contract. */
export const RULES: readonly Rule[] = [
  messagesRule,
  replyHeadersRule,
  declaredHeadersRule,
  datesRule,
  cachingRule,
  crossOriginRule,
  cookiesRule,
  credentialsRule,
  quotasRule,
  pageHeadersRule,
  pageRedirectsRule,
  declaredMessagesRule,
  signaturesRule,
  rsaSignaturesRule,
  webhookIdsRule,
  rsaKeysRule,
  statusMessagesRule,
  sandboxOutcomesRule,
  secretsRule,
  requestIdsRule,
  redirectsRule,
  paymentUrlsRule,
  passwordsRule,
  handshakesRule,
  listedProvidersRule,
  constantFieldsRule,
  finalRecordsRule,
  statesRule,
  totalsRule,
  eventsRule,
  listedCurrencyRule,
  pageAmountsRule,
  pageOutcomesRule,
  pageTriesRule,
  typedAccountsRule,
  steadyListsRule,
  requestedItemsRule,
  replaysRule,
  walletSumsRule,
  balancesRule,
  chargesRule,
  conversionRule,
  refundsRule,
  batchesRule,
  uniqueIdsRule,
  randomReferencesRule,
]

/** The rules for a contract that is not ours. */
export const foreignRules = (secrets: readonly Secret[]): readonly Rule[] => [
  {
    ...secretsRule,
    judging: ({ contract }) => ({
      each: secretJudge(secrets, JSON.stringify(contract.document), { declaredMayTell: true }),
    }),
  },
]
