import { Route, Routes } from 'react-router'
import { PeopleList } from './people-list.tsx'
import { PersonScreen } from './person-screen.tsx'

/** Everything under People: the list, and whoever is open, by id and tab. */
export const PeopleScreen = () => (
  <Routes>
    <Route index element={<PeopleList />} />
    <Route path=":id/*" element={<PersonScreen />} />
  </Routes>
)
