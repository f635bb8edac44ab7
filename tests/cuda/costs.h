// costs.h: what edits, and copies on their way home, cost by the clock on the wall. Both tell, and return 0.
#pragma once

int time_edits(void);
int time_copies(void);
