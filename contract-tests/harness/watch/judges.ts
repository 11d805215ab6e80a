import type { Contract } from '../../../openapi/reading/contract.ts'
import { handshakeWatch } from './handshakes.ts'
import { passwordJudge } from './passwords.ts'
import { listedProviderWatch } from './listed-providers.ts'
import { paymentUrlJudge } from './payment-urls.ts'
import { redirectJudge } from './redirects.ts'
import { replyHeaderJudge } from './reply-headers.ts'
import { requestIdJudge } from './request-ids.ts'
import { rsaKeyJudge } from './rsa-keys.ts'
import { sandboxOutcomeJudge } from './sandbox-outcomes.ts'
import { secretJudge, secretsOf, type Account, type Secret } from './secrets.ts'
import type { Fault, Judge } from './observed-exchange.ts'
import { sentMessageJudge } from './sent-messages.ts'
import { statusWordsJudge } from './status-words.ts'
import { wordsJudge } from './words.ts'

/** The rules for the exchanges of one server. */
export interface ExchangeJudges {
  readonly each: readonly Judge[]
  /** Findings that only the whole traffic shows. */
  readonly end: () => readonly Fault[]
}

/** All rules of the watch, for a server of our contract. @param isOneServer whether ids are unique over a whole run */
export function ownJudges(contract: Contract, isOneServer: boolean) {
  const text = JSON.stringify(contract.document)
  // Stateless rules: created once for all servers.
  const lasting = [wordsJudge(contract), replyHeaderJudge(contract), sentMessageJudge(contract), rsaKeyJudge]
  // Outside the sandbox, operators add reasons of their own.
  const ofSandbox = [statusWordsJudge(contract), sandboxOutcomeJudge(contract)]
  return (accounts: readonly (Account | undefined)[], { sandbox }: { readonly sandbox: boolean }): ExchangeJudges => {
    const [handshakes, providers] = [handshakeWatch(), listedProviderWatch()]
    return {
      each: [
        ...lasting,
        ...(sandbox ? ofSandbox : []),
        secretJudge(secretsOf(...accounts), text),
        requestIdJudge(isOneServer),
        redirectJudge(contract),
        paymentUrlJudge(),
        passwordJudge(),
        handshakes.judge,
        providers.judge,
      ],
      end: () => [...handshakes.end(), ...providers.end()],
    }
  }
}

/** The rules for a contract that is not ours. */
export const foreignJudges = (secrets: readonly Secret[], { document }: Contract): ExchangeJudges => ({
  each: [secretJudge(secrets, JSON.stringify(document), { declaredMayTell: true })],
  end: () => [],
})
