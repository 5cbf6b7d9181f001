import { create } from 'zustand'
import { readStored, writeStored } from './storage.ts'

/** The steps that a user confirms; the later ones follow from the orders. `over`: finished or skipped. */
export const TOUR_STEPS = ['size', 'cost', 'send'] as const
export type TourStep = (typeof TOUR_STEPS)[number] | 'over'

/** How far a user of this device is in the tour of the first trade, also after a reload. */
type Tour = { readonly userId: number; readonly step: TourStep }

/** The tour as stored on this device; null for none. */
export function readTour(): Tour | null {
  const [userId = '', step, ...rest] = (readStored('tour') ?? '').split(' ')
  if (rest.length > 0) return null
  const known = [...TOUR_STEPS, 'over' as const].find((each) => each === step)
  return known && /^\d{1,15}$/.test(userId) ? { userId: Number(userId), step: known } : null
}

const useStore = create<{ tour: Tour | null }>(() => ({ tour: readTour() }))

/** The step of a user's tour; null before it began. */
export const useTourStep = (userId: number | undefined): TourStep | null =>
  useStore(({ tour }) => (tour !== null && tour.userId === userId ? tour.step : null))

/** Whether a tour of any user is under way on this device. */
export const useHasTour = (): boolean => useStore(({ tour }) => tour !== null && tour.step !== 'over')

export function setTourStep(userId: number, step: TourStep): void {
  useStore.setState({ tour: { userId, step } })
  writeStored('tour', `${userId} ${step}`)
}

/** Forgets the tour on this device. */
export function forgetTour(): void {
  useStore.setState({ tour: null })
  writeStored('tour', null)
}
