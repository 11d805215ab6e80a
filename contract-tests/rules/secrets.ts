import type { Rule } from './rule.ts'
import { secretsOf } from './secrets/known-secrets.ts'
import { secretJudge } from './secrets/secret-judge.ts'

export const secretsRule: Rule = {
  name: 'secrets',
  reason: 'Nothing from the server contains a key or secret of any merchant.',
  plantedFault: 'redirect-key-in-query',
  judging: ({ contract, accounts }) => ({
    each: secretJudge(secretsOf(...accounts), JSON.stringify(contract.document)),
  }),
}
