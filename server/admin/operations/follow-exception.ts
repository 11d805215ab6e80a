import { holdsSecrets } from '../../domain/masking/mask-text.ts'
import { assignException as assign, noteOnException as addNote } from '../queries/statements/follow-exception.ts'
import { findPerson } from '../queries/people.ts'
import { displayValues } from './display-values.ts'
import { endedBefore } from './end-exception.ts'
import { exceptionNamed } from './exception-named.ts'
import { OperationRefusal, type Operation, type OperationContext } from './operation.ts'

type Followed = { readonly exception_id: string }

/** Adds what somebody found out about a difference; notes are never changed or deleted. */
export const noteOnException: Operation<{ readonly exception: string; readonly note: string }, Followed> = {
  name: 'reconcile note',
  async prepare(context, { exception, note }) {
    const { id } = await exceptionNamed(context, exception)
    if (holdsSecrets(note))
      throw new OperationRefusal(
        'invalid',
        'note must hold no password, no token and no phone number with a plus sign: it is stored for good',
      )
    return {
      subject: `exception ${exception}`,
      read: async () => ({}),
      async apply(pool) {
        await addNote(pool, { exceptionId: id, author: context.actor.name, note }, context.clock.now())
        return { exception_id: exception }
      },
      done: { note },
    }
  },
}

interface AssignInput {
  readonly exception: string
  /** A member of staff by e-mail address, `me`, or absent: nobody. */
  readonly to?: string | undefined
}

/** Says who looks into a difference. */
export const assignException: Operation<AssignInput, Followed> = {
  name: 'reconcile assign',
  async prepare(context, { exception, to }) {
    const { id } = await exceptionNamed(context, exception)
    const assigneeId = to === undefined ? null : await memberOfStaff(context, to)
    return {
      subject: `exception ${exception}`,
      read: async (pool) => displayValues({ 'assigned to': (await exceptionNamed({ pool }, exception)).assignee }),
      async apply(pool) {
        if (!(await assign(pool, id, assigneeId))) throw endedBefore(await exceptionNamed({ pool }, exception))
        return { exception_id: exception }
      },
    }
  },
}

/** A member of staff by e-mail address, or `me`. @throws OperationRefusal unless they have access now */
export async function memberOfStaff({ actor, pool }: OperationContext, name: string): Promise<bigint> {
  if (name === 'me') {
    if ('personId' in actor) return actor.personId
    throw new OperationRefusal('invalid', 'without a login there is nobody to assign to: give an e-mail address')
  }
  const person = await findPerson(pool, name)
  if (!person || person.ended_at || person.merchant_id !== null)
    throw new OperationRefusal('not_found', `there is no member of staff ${name}`, 'See them all: malipo people list')
  return person.id
}
