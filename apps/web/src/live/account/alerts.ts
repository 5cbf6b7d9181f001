import {
  type AlertView,
  CallError,
  listAlerts,
  type NewAlert,
  removeAlert,
  setAlert,
} from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { onServerMessage } from '../connection/server-connection.ts'
import { useIsLoggedIn } from '../device/token.ts'
import { change } from '../requests/change.ts'
import { fetchAgain } from '../requests/query-client.ts'
import { request } from '../requests/request.ts'

const KEY = ['alerts']

/** Fetches the alerts again after each pushed change of them. Called once. */
export function startAlertUpdates(): void {
  onServerMessage('alerts', () => void fetchAgain({ queryKey: KEY }))
}

type AlertsState = {
  /** Waiting ones, the newest first, then the last that have fired; undefined before the first response. */
  readonly alerts: readonly AlertView[] | undefined
  readonly error: Error | null
  readonly refetch: () => unknown
}

/** The user's alerts; none for a visitor. */
export function useAlerts(): AlertsState {
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => request(listAlerts, null, { signal, isSilent: true }),
    enabled: useIsLoggedIn(),
  })
  return { alerts: data, error, refetch }
}

/** Sets an alert and shows it in every list. */
export async function setNewAlert(alert: NewAlert): Promise<AlertView> {
  const set = await change(setAlert, alert, { isSilent: true })
  await fetchAgain({ queryKey: KEY })
  return set
}

/**
 * Sets an alert in place of another: the old one goes only once the new one is set. One that has fired or was removed
 * meanwhile is not brought back elsewhere: the new one goes again, and the call rejects.
 */
export async function moveAlert(alertId: number, alert: NewAlert): Promise<void> {
  const moved = await change(setAlert, alert, { isSilent: true })
  try {
    await change(removeAlert, { alertId }, { isSilent: true })
  } catch (error) {
    if (error instanceof CallError && error.failure.reason === 'alertNotFound')
      await change(removeAlert, { alertId: moved.id }, { isSilent: true })
    throw error
  } finally {
    await fetchAgain({ queryKey: KEY })
  }
}

/** Removes an alert; one that has fired or was removed meanwhile leaves the list as well. */
export async function removeWaitingAlert(alertId: number): Promise<void> {
  try {
    await change(removeAlert, { alertId })
  } finally {
    await fetchAgain({ queryKey: KEY })
  }
}
