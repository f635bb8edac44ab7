// client_stages.h: includes the stages of every client of the neighbour service, for the backends, which compile them.
// No client has stages yet.
#pragma once
