import type { PaymentStep, PaymentView } from '../actions/view-payment.ts'
import type { Translator } from './speech.ts'

export type Field = 'bank_code' | 'account_number' | 'otp' | 'phone'

/** Why the customer's input was rejected. */
export interface PageError {
  /** In words for the customer. */
  readonly message: (speech: Translator) => string
  readonly field?: Field
}

/** The customer's input, shown again with an error. Never the OTP. */
export interface EnteredAccount {
  readonly bankCode: string
  readonly accountNumber: string
  readonly phone?: string
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

/** Everything that a page is rendered from. */
export interface PaymentPage {
  readonly view: PaymentView
  readonly speech: Translator
  readonly now: Date
  readonly path: string
  readonly token: string
  readonly state: string
  readonly sandbox: boolean
  /** Sandbox only, once there is an account number. */
  readonly forecast?: SandboxForecast
  /** Confirms what has just been done. */
  readonly notice?: string
  readonly error?: PageError
  readonly entered?: EnteredAccount
  /** The page redirects to the merchant's site by itself. */
  readonly leaves: boolean
  /** Links to the merchant's site. */
  readonly backTo?: string
  /** The host of the https connection; absent: the connection is not encrypted. */
  readonly secureHost?: string
  /** Since when the customer has been waiting, as far as we know. */
  readonly waitsSince: Date
}

export interface StepView {
  readonly heading: string
  /** Markup. */
  readonly content: string
  readonly tone: '' | 'good' | 'bad' | 'calm'
  /** Nothing has been sent to the rail yet. */
  readonly mayCancel: boolean
}

export type Step<Name extends PaymentStep['step']> = Extract<PaymentStep, { step: Name }>
