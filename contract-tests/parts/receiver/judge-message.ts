import type { Scenario } from './scenario.ts'
import type { SentOperations } from './contract.ts'
import type { Findings } from '../../driver/findings.ts'
import { TRAP_PATH } from '../../driver/merchant-replies.ts'
import type { Message } from '../../driver/merchant-server.ts'
import { webhookFaults } from './webhook-check.ts'

/** Checks a message against the contract's declaration. @returns whether its body is trustworthy */
export function judgeMessage(message: Message, contract: SentOperations, findings: Findings<Scenario>): boolean {
  const { webhook, path } = message
  if (webhook === undefined) {
    const faults = path.startsWith(TRAP_PATH)
      ? [{ rule: 'redirect', what: 'a redirect was followed' }]
      : [{ rule: 'url', what: "a request came to a URL that is not the merchant's" }]
    findings.hold('retries', 1, faults, `${message.method} ${path}`)
    return false
  }
  const subject = `${webhook} of ${message.reference ?? 'no payment'}`
  const declared = webhookFaults(contract, webhook, message)
  findings.hold(webhook, 4 + (contract.webhooks.get(webhook)?.[0]?.parameters.length ?? 0), declared, subject)
  return declared.length === 0
}
