import { changeDigest } from '../../domain/approvals.ts'
import { openDigests } from '../../storage/digests.ts'
import { approvalInput } from '../../storage/sealed-places.ts'
import { WrongMasterKey } from '../../storage/secret-box.ts'
import type { WaitingChange } from '../queries/approvals.ts'
import { OperationRefusal, type Operation, type OperationContext } from './operation.ts'

type SecretField = Pick<Operation<never, never>, 'secretInput'>

/** How the input of a request is stored: what people may read, and the field with secrets, sealed. */
interface StoredInput {
  readonly arguments: readonly string[]
  readonly digest: string
  readonly sealedInput?: Buffer
}

/** Splits an input for a request that waits. */
export async function storedInput(
  context: OperationContext,
  operation: SecretField,
  input: unknown,
): Promise<StoredInput> {
  const { plain, secret } = split(operation, input)
  const args = [JSON.stringify(plain)]
  const digest = changeDigest(args, await inputDigest(context, operation, input))
  if (secret === undefined) return { arguments: args, digest }
  const box = await context.secretBox()
  return { arguments: args, digest, sealedInput: box.seal(JSON.stringify(secret), approvalInput(digest)) }
}

/** The whole input of a request. @throws OperationRefusal for one that this version cannot execute */
export async function openedInput(
  { secretBox }: OperationContext,
  { secretInput }: SecretField,
  { arguments: [text = ''], sealedInput }: WaitingChange,
  digest: string,
): Promise<unknown> {
  if (!text.startsWith('{')) throw againPlease('an older version of Malipo made it')
  const plain = JSON.parse(text) as object
  if (secretInput === undefined || !sealedInput) return plain
  try {
    const secret: unknown = JSON.parse((await secretBox()).open(sealedInput, approvalInput(digest)))
    return { ...plain, [secretInput]: secret }
  } catch (error) {
    throw error instanceof WrongMasterKey ? againPlease('another master key has sealed its secrets') : error
  }
}

const againPlease = (why: string): OperationRefusal =>
  new OperationRefusal('conflict', `the request cannot be executed: ${why}. Refuse it, and make it again`)

/** Recognizes the secrets of an input: keyed, because they may be easy to guess. @returns undefined without secrets */
export async function inputDigest(
  { pool, random, clock, secretBox }: OperationContext,
  operation: SecretField,
  input: unknown,
): Promise<string | undefined> {
  const { secret } = split(operation, input)
  if (secret === undefined) return undefined
  const digests = await openDigests(pool, await secretBox(), random, clock.now())
  return digests('approval', JSON.stringify(secret)).toString('hex')
}

function split(
  { secretInput: name }: SecretField,
  input: unknown,
): { readonly plain: object; readonly secret?: unknown } {
  if (name === undefined) return { plain: input as object }
  const { [name]: secret, ...plain } = input as Record<string, unknown>
  return { plain, secret }
}
