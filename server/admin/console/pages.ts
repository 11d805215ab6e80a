import type { FastifyInstance } from 'fastify'
import type { ConsoleDeps } from './console-routes.ts'
import { serveBatches } from './batches/batches.ts'
import { serveKeys } from './keys/keys.ts'
import { serveMerchant } from './merchants/merchant.ts'
import { serveMerchants } from './merchants/merchants.ts'
import { serveMerchantTasks, serveOwnTasks } from './merchants/tasks.ts'
import { serveOwnSettings } from './settings/own-settings.ts'
import { serveSettings } from './settings/settings.ts'
import { servePaymentActions } from './payments/actions.ts'
import { serveCallbacks } from './payments/callbacks.ts'
import { servePaymentList } from './payments/list.ts'
import { servePayment } from './payments/payment.ts'
import { serveReceived } from './payments/received.ts'
import { serveRails } from './rails/list.ts'
import { serveConnections } from './rails/connect.ts'
import { serveMovement } from './rails/movement.ts'
import { serveRail } from './rails/rail.ts'
import { serveException } from './reconciliation/exception.ts'
import { serveImports } from './reconciliation/import.ts'
import { serveExceptionList } from './reconciliation/list.ts'
import { serveSuspense } from './reconciliation/suspense.ts'
import { serveBalances } from './reports/balances.ts'
import { serveStatement } from './reports/statement.ts'
import { serveVolume } from './reports/volume.ts'
import { serveApprovals } from './approvals/approvals.ts'
import { serveApprovalRules } from './approvals/rules.ts'
import { serveAudit } from './audit/audit.ts'
import { servePeople } from './people/people.ts'
import { serveDoctor, serveToday } from './today/today.ts'

type Serve = (app: FastifyInstance, deps: ConsoleDeps) => void

/** Pages of both audiences: each shows staff everything, and people of a merchant what is theirs. */
const SHARED: readonly Serve[] = [
  serveToday,
  servePaymentList,
  servePayment,
  servePaymentActions,
  serveBatches,
  serveCallbacks,
  serveApprovals,
  serveKeys,
  serveOwnTasks,
  serveStatement,
  servePeople,
]
/** Pages of staff; for people of merchants they are unknown. */
const STAFF: readonly Serve[] = [
  serveDoctor,
  serveMerchants,
  serveMerchant,
  serveMerchantTasks,
  serveSettings,
  serveExceptionList,
  serveException,
  serveImports,
  serveSuspense,
  serveRails,
  serveRail,
  serveConnections,
  serveMovement,
  serveVolume,
  serveBalances,
  serveApprovalRules,
  serveAudit,
]
/** Pages of people of merchants alone. */
const MERCHANT: readonly Serve[] = [serveOwnSettings, serveReceived]

/** Registers the pages of a listener. */
export function servePages(app: FastifyInstance, deps: ConsoleDeps): void {
  for (const serve of [...SHARED, ...(deps.audience === 'staff' ? STAFF : MERCHANT)]) serve(app, deps)
}
