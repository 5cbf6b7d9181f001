import { openPayments } from '../../testing/payments.ts'
import type { ServerProcess } from '../../testing/server-process.ts'
import { addOperator, DESK_PASSWORD, enrolAdministrator, type OnDesk } from './desk.ts'

export type MoneyDesk = {
  readonly server: ServerProcess
  /** Decides; whoever is second agrees where one is not enough. */
  readonly finance: OnDesk
  readonly administrator: OnDesk
  readonly compliance: OnDesk
}

/** A server on which money comes and goes, with the people who decide. A new receiving method waits for nothing. */
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
