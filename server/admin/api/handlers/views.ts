import { success } from '../../../http/envelope.ts'
import { OperationRefusal, type OperationContext } from '../../operations/operation.ts'
import { removeView, savedViews, saveView, SAVED_VIEWS_MAX } from '../../queries/saved-views.ts'
import type { AdminHandler } from '../handler.ts'
import { counted } from '../wire.ts'

function personOf({ actor }: OperationContext): bigint {
  if ('personId' in actor) return actor.personId
  throw new OperationRefusal('forbidden', 'views are saved for a person who has signed in')
}

async function viewsOf(context: OperationContext): ReturnType<AdminHandler<'listViews'>> {
  const items = [...(await savedViews(context.pool, personOf(context)))]
  return success(counted(items, 'view'), { items })
}

export const listViews: AdminHandler<'listViews'> = ({ context }) => viewsOf(context)

export const saveViewHandler: AdminHandler<'saveView'> = async ({ context, body: { name, query } }) => {
  const { pool, clock } = context
  if (query === undefined) await removeView(pool, personOf(context), name)
  else if (!(await saveView(pool, personOf(context), { name, query }, clock.now())))
    throw new OperationRefusal('conflict', `you have ${SAVED_VIEWS_MAX} views: remove one first`)
  return viewsOf(context)
}
