import { openPayments } from '../../testing/payments.ts'
import type { ServerProcess } from '../../testing/server-process.ts'
import { addOperator, DESK_PASSWORD, enrolAdministrator, type OnDesk } from './desk.ts'

export type MoneyDesk = {
  readonly server: ServerProcess
  /** Decides money cases, with compliance as the second operator. */
  readonly finance: OnDesk
  readonly administrator: OnDesk
  readonly compliance: OnDesk
}

/** A server with payment channels and the operators who decide. New receiving methods have no waiting time. */
export async function startMoneyDesk(
  start: (settings: Readonly<Record<string, string>>) => Promise<ServerProcess>,
): Promise<MoneyDesk> {
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD, SETTING_PAYOUT_WAIT_HOURS: '0' })
  const administrator = await enrolAdministrator(server)
  const compliance = await addOperator(server, administrator, { name: 'C. Compliance', role: 'compliance' })
  const money = { name: 'F. Finance', role: 'finance', second: compliance } as const
  const finance = await addOperator(server, administrator, money)
  await openPayments(finance, administrator)
  return { server, finance, administrator, compliance }
}
