import { type Category, listCategories, listRecentCandles } from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { answerOfPage, languageOfPage } from '../../live/requests/page-data.ts'
import { currentLanguage } from '../../live/device/language.ts'
import { request } from '../../live/requests/request.ts'

const DAY_MS = 86_400_000
const CLOSES_STALE_MS = 5 * 60_000
const AT_ONCE = 4

/** The categories that came with the page, if they are in the current language. */
const categoriesOfPage = (): readonly Category[] | undefined =>
  languageOfPage() === currentLanguage() ? answerOfPage('categories', listCategories.response) : undefined

/** The categories of instruments, named in the reader's language; undefined before the first response. */
export const useCategories = (): readonly Category[] | undefined =>
  useQuery({
    queryKey: ['categories'],
    queryFn: ({ signal }) => request(listCategories, {}, { signal, isSilent: true }),
    staleTime: DAY_MS,
    initialData: categoriesOfPage,
  }).data

const limitConcurrency = createLimiter(AT_ONCE)

/** The closes of the last 60 bars of 15 minutes; fetched while `isWanted`, a few instruments at a time. */
export const useRecentCloses = (instrumentId: number, isWanted: boolean): readonly number[] | undefined =>
  useQuery({
    queryKey: ['recentCloses', instrumentId],
    queryFn: ({ signal }) =>
      limitConcurrency(async () => {
        const input = { instrumentId, period: '15min' } as const
        const candles = await request(listRecentCandles, input, { signal, isSilent: true })
        return candles.map(({ close }) => Number(close))
      }),
    enabled: isWanted,
    staleTime: CLOSES_STALE_MS,
  }).data

type Task = () => Promise<unknown>

/** Runs at most `atOnce` tasks at a time; the others wait in the order of their calls. */
export function createLimiter(atOnce: number): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const waiting: Task[] = []
  let running = 0

  function next() {
    const task = running < atOnce ? waiting.shift() : undefined
    if (!task) return
    running += 1
    void task().finally(() => {
      running -= 1
      next()
    })
  }

  return (task) =>
    new Promise((resolve, reject) => {
      waiting.push(() => task().then(resolve, reject))
      next()
    })
}
