import type { Rule } from '../rule.ts'
import { ACCOUNT_MESSAGES } from './account-messages.ts'
import { ADDRESSES } from './addresses.ts'
import { AMOUNTS } from './amounts.ts'
import { ANY_RAIL } from './any-rail.ts'
import { BOUND_IDS } from './bound-ids.ts'
import { BOUNDS } from './bounds.ts'
import { CALLBACKS } from './callbacks.ts'
import { CHARGED_PAYMENTS } from './charged-payments.ts'
import { KEPT_PAYMENTS } from './stored-payments.ts'
import { GIVEN_BACK } from './given-back.ts'
import { LATE_ANSWERS } from './late-replies.ts'
import { LOST_ORDERS } from './lost-orders.ts'
import { LOST_PAYMENTS } from './lost-payments.ts'
import { ODD_SHAPES } from './odd-shapes.ts'
import { QUESTIONS } from './questions.ts'
import { REFUNDS } from './refunds.ts'
import { SECRETS } from './secrets.ts'
import { REPORTED_PAYMENTS } from './reported-payments.ts'
import { TOKENS } from './tokens.ts'
import { UNCLEAR_ORDERS } from './unclear-orders.ts'
import { UNPROVEN_NAMES } from './unproven-names.ts'
import { VERDICT_FORMS } from './verdict-forms.ts'
import { VERDICTS } from './verdicts.ts'

/** All rules for a rail, in the order of the table. */
export const RULES: readonly Rule[] = [
  ...ANY_RAIL,
  ...LOST_ORDERS,
  ...UNCLEAR_ORDERS,
  ...TOKENS,
  ...QUESTIONS,
  ...AMOUNTS,
  ...CALLBACKS,
  ...ADDRESSES,
  ...VERDICTS,
  ...VERDICT_FORMS,
  ...ODD_SHAPES,
  ...BOUNDS,
  ...SECRETS,
  ...REFUNDS,
  ...GIVEN_BACK,
  ...LOST_PAYMENTS,
  ...REPORTED_PAYMENTS,
  ...LATE_ANSWERS,
  ...ACCOUNT_MESSAGES,
  ...UNPROVEN_NAMES,
  ...BOUND_IDS,
  ...CHARGED_PAYMENTS,
  ...KEPT_PAYMENTS,
]
