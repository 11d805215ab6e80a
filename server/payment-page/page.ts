import type { PaymentStep, PaymentView } from '../actions/view-payment.ts'
import type { Speech } from './speech.ts'

export type Field = 'bank_code' | 'account_number' | 'otp'

/** Why what the customer sent was not taken. */
export interface PageError {
  /** In words for the customer. */
  readonly message: (speech: Speech) => string
  readonly field?: Field
}

/** What the customer typed, given back with an error. Never the one-time password. */
export interface Entered {
  readonly bankCode: string
  readonly accountNumber: string
}

/** What the sandbox will do with an account number. */
export type SandboxForecast =
  | 'pays'
  | 'pays_slowly'
  | 'pays_late'
  | 'pays_once_reached'
  | 'asks_for_otp'
  | 'lacks_money'
  | 'declines'
  | 'gives_no_answer'
  | 'stays_open'

/** All that a page is made from. */
export interface PaymentPage {
  readonly view: PaymentView
  readonly speech: Speech
  readonly now: Date
  readonly path: string
  readonly token: string
  readonly state: string
  readonly sandbox: boolean
  /** Of the sandbox, once there is an account number. */
  readonly forecast?: SandboxForecast
  /** What has just been done. */
  readonly notice?: string
  readonly error?: PageError
  readonly entered?: Entered
  /** The page goes on to the merchant's site by itself. */
  readonly leaves: boolean
  /** Leads to the merchant's site. */
  readonly backTo?: string
  /** Where the customer is by https; absent: on an open connection. */
  readonly secureHost?: string
  /** Since when the customer waits, as far as we know. */
  readonly waitsSince: Date
}

export interface StepView {
  readonly heading: string
  /** Markup. */
  readonly content: string
  readonly tone: '' | 'good' | 'bad' | 'calm'
  /** Nothing has gone to the rail yet. */
  readonly mayCancel: boolean
}

export type Step<Name extends PaymentStep['step']> = Extract<PaymentStep, { step: Name }>
