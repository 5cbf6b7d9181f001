import type { WithdrawalTable } from '../../database/payment-schema.ts'

/** Where a withdrawal is paid to, in a line: from the method as it was when it was asked for. */
export function payToOf({ method, kind }: Pick<WithdrawalTable, 'method' | 'kind'>): string {
  const details = JSON.parse(method) as Record<string, string | null>
  const names =
    kind === 'coin'
      ? ['address']
      : ['payeeName', 'iban', 'payeeAccount', 'bankName', 'bic', 'routeNumber', 'accountType', 'bankAddress']
  return names.flatMap((name) => details[name] || []).join(', ')
}
