/** The front page as it is now: its tables and public games are fetched again while somebody looks at it. */
import { renew } from './page.js';

const front = document.getElementById('page');
const again = () => document.hidden || renew(front).catch(() => {});
setInterval(again, 15_000);
// in a pocket, too, once the engine is there
addEventListener('online', again);
