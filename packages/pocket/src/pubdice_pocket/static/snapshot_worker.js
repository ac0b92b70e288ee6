/** Makes the snapshot of memory that later starts begin with, beside the house that is already open, and ends. */
import { keepSnapshot } from './interpreter.js';

self.onmessage = async ({ data: { version } }) => {
  try {
    await keepSnapshot(version);
  } catch (error) {
    console.warn('No snapshot is kept:', error);
  }
  close();
};
