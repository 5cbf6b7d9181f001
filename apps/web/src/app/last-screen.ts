import { type RouteName, routeOf } from './routes.ts'

/** The screens on the way from a text to its report. */
const ON_THE_WAY: readonly RouteName[] = ['reportText', 'language', 'system', 'user', 'feedback']

let last: RouteName = 'home'

/** Remembers the screen of a navigation, for a report of its texts. */
export function rememberScreen(pathname: string): void {
  const name = routeOf(pathname)?.name
  if (name && !ON_THE_WAY.includes(name)) last = name
}

/** The screen that was shown last, apart from those that lead to the report of a text. */
export const lastScreen = (): RouteName => last
