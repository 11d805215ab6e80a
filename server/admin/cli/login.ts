import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { InvalidArgumentError, type Command } from 'commander'
import { actorOf } from '../queries/person.ts'
import { personOfToken, storeToken, takeLoginCode, TOKEN_BYTES } from '../queries/person-tokens.ts'
import { MALIPO } from './called-as.ts'
import { describeLeaf, parseSpan } from './command.ts'
import { withDatabase } from './database.ts'
import { CliError } from './errors.ts'
import { writeLoginToken } from './login-file.ts'
import { print, printable, printJson, shortTime } from './output.ts'
import { addition, recordedAction, shownValues } from './staff-action.ts'

const DEFAULT_SECONDS = 12 * 3_600
const MAX_SECONDS = 90 * 24 * 3_600

export function define(command: Command): void {
  describeLeaf(
    command
      .argument('[code]', `the one-time code that ${MALIPO} people invite printed; without it, it is asked for`)
      .option('--for <span>', 'how long the login lasts, at most 90d', parseFor, DEFAULT_SECONDS),
    `${MALIPO} login`,
    `${MALIPO} login --for 7d`,
  ).action(login)
}

function parseFor(text: string): number {
  const seconds = parseSpan(text)
  if (seconds === 0 || seconds > MAX_SECONDS) throw new InvalidArgumentError('It must be above 0 and at most 90d.')
  return seconds
}

async function login(given: string | undefined, { for: seconds, json }: { for: number; json?: true }): Promise<void> {
  const code = given ?? (await askForCode())
  const { person, expiresAt } = await withDatabase(async (context) => {
    const { pool, clock } = context
    const now = clock.now()
    const expiresAt = new Date(now.getTime() + seconds * 1000)
    const person = await personOfToken(pool, 'login_code', code, now)
    if (!person || person.merchant_id !== null) throw wrongCode()
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    await recordedAction(
      { ...context, actor: actorOf(person, hostname()) },
      { command: 'login', subject: person.email },
      {},
      addition(
        async (audited) => {
          if (!(await takeLoginCode(audited, code, now))) throw wrongCode()
          await storeToken(audited, { kind: 'cli', personId: person.id, token, expiresAt }, now)
          return expiresAt
        },
        (until) => shownValues({ 'logged in until': until.toISOString() }),
      ),
    )
    await writeLoginToken(context, token)
    return { person, expiresAt }
  })
  if (json) return printJson({ email: person.email, role: person.role, expires_at: expiresAt })
  print(`You are ${printable(person.name)} with the role ${person.role}, until ${shortTime(expiresAt)}.`)
}

const wrongCode = (): CliError =>
  new CliError(
    'malipo: the code is wrong, was used before, or has expired.\nAn admin makes a new one with people reset.',
  )

/** Reads one line of standard input, so that the code is in no history of a shell. */
async function askForCode(): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    return (await Promise.race([lines.question('One-time code: '), ended])).trim()
  } finally {
    lines.close()
  }
}
