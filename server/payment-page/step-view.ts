import { finalStep } from './final-step.ts'
import { chooseBank, confirmPhone, enterOtp } from './form-steps.ts'
import { tryAgain } from './retry-step.ts'
import type { PaymentPage, StepView } from './page.ts'
import { approveOnPhone, expired, suspended, waitForBank } from './waiting-steps.ts'

/** The middle of the page: the one next action. */
export function stepView(page: PaymentPage): StepView {
  const {
    speech: { text },
    view: { step },
  } = page
  switch (step.step) {
    case 'choose_bank':
      return { heading: text('bankHeading'), content: chooseBank(page, step), tone: '', mayCancel: true }
    case 'confirm_phone':
      return { heading: text('phoneHeading'), content: confirmPhone(page, step), tone: '', mayCancel: true }
    case 'enter_otp':
      return { heading: text('otpHeading'), content: enterOtp(page, step), tone: '', mayCancel: true }
    case 'retry':
      return { heading: text('failedHeading'), content: tryAgain(page, step), tone: 'bad', mayCancel: true }
    case 'approve':
      return step.method === 'BANK'
        ? { heading: text('waitBankHeading'), content: waitForBank(page, step), tone: '', mayCancel: false }
        : { heading: text('approveHeading'), content: approveOnPhone(page, step), tone: '', mayCancel: false }
    case 'expired':
      return { heading: text('expiredHeading'), content: expired(page), tone: 'calm', mayCancel: false }
    case 'suspended':
      return { heading: text('suspendedHeading'), content: suspended(page), tone: 'calm', mayCancel: true }
    case 'final':
      return finalStep(page, step)
  }
}
